dpnoise law 'gaussian(sigma=1)' --porb 0.5
