dpnoise law 'gaussian(sigma=-1)'
