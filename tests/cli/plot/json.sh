dpnoise law 'laplace(scale=1)' --plot p.svg --json | near law='laplace(scale=1)' plot=p.svg
test -s p.svg
