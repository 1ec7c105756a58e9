dpnoise law 'gaussian(sigma=1)' --at
