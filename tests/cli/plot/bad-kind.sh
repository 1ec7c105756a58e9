dpnoise law 'gaussian(sigma=1)' --plot laws.jpg
