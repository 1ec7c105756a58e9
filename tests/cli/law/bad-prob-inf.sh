dpnoise law 'gaussian(sigma=1)' --prob inf
