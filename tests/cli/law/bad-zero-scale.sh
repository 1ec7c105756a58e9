dpnoise law 'laplace(scale=0)'
