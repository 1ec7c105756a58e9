# One bad law among good ones: nothing is printed.
dpnoise law 'gaussian(sigma=1)' 'laplace(scale=-2)'
