# --name value, --name=value, repeated and in lists, before and after the law, and negative numbers as values.
dpnoise law --at 1 'gaussian(sigma=1)' --at=-2 --at 3,-4 --json >one
dpnoise law --json --at 1,-2,3,-4 -- 'gaussian(sigma=1)' >two
cmp one two
