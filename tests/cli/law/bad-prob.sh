dpnoise law 'gaussian(sigma=1)' --prob 1.5
