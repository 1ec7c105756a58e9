dpnoise law 'gaussian(sigma=1e400)'
