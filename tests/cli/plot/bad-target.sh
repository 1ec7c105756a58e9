# A directory of that name stays, and no temporary file is left.
mkdir laws.svg
code=0
dpnoise law 'gaussian(sigma=1)' --plot laws.svg || code=$?
echo "$code"
ls -A
