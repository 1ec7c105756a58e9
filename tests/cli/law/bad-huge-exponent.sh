dpnoise law 'gaussian(sigma=1e999999999)'
