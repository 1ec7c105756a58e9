dpnoise law 'gaussian(sigma=1)' --at 1e400
