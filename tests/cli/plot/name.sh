# No shell and no quoting: any name is a name.
name="it's \"my\" \$(touch pwned) ; plot\\ 1.svg"
dpnoise law 'gaussian(sigma=1)' --plot "$name" >/dev/null
test -s "$name"
mkdir -- --dir
dpnoise law 'gaussian(sigma=1)' --plot=--dir/p.svg >/dev/null
test -s ./--dir/p.svg
ls -A | wc -l
