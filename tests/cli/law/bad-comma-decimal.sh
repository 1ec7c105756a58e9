dpnoise law 'gaussian(sigma=0,5)'
