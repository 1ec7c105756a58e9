# A law that fails draws nothing.
code=0
dpnoise law 'gaussian(sigma=1)' 'laplace(scale=-1)' --plot laws.svg || code=$?
echo "$code"
ls -A
