dpnoise law 'gaussian'
