dpnoise law 'laplace(scale=1)' --plot laws.PDF >/dev/null
head -c 5 laws.PDF
echo
ls -A
