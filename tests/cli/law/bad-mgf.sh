dpnoise law 'gaussian(sigma=1)' --mgf inf
