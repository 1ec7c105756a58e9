dpnoise law 'gaussian(sigma=1)' --prob 0.5,-0.1
