dpnoise law 'laplace(scale=1)' --plot laws.png >/dev/null
head -c 4 laws.png | od -An -c
ls -A
