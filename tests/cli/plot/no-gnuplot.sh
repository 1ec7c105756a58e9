# Nothing is printed, nothing is written, the old picture stays.
echo old >laws.svg
tool=$(command -v dpnoise)
code=0
PATH=/nonexistent "$tool" law 'gaussian(sigma=1)' --plot laws.svg --json || code=$?
echo "$code"
cat laws.svg
ls -A
