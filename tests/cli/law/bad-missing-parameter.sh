dpnoise law 'gaussian()'
