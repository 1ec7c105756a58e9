dpnoise law 'gaussian(sigma=1e-400)'
