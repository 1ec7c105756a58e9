dpnoise law 'gaussian(sigma=nan)'
