dpnoise law 'gaussian(sigma=1,sigma=2)'
