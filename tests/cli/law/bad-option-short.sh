dpnoise law 'gaussian(sigma=1)' -x
