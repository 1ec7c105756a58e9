dpnoise law 'gaussian(sigma=inf)'
