# More than a buffer: the first failed write is in the middle.
code=0
dpnoise law 'gaussian(sigma=1)' --at "$(seq -s , 2000)" --json >/dev/full 2>err || code=$?
echo "$code"
grep -c '^dpnoise law: standard output could not be written: ' err
