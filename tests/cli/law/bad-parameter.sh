dpnoise law 'gaussian(scale=1)'
