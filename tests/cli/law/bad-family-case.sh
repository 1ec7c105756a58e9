dpnoise law 'Gaussian(sigma=1)'
