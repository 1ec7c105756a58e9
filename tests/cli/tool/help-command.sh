dpnoise help law >one
dpnoise law --help >two
cmp one two
grep -A 1 "^example:" one
