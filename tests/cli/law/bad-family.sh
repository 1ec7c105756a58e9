dpnoise law 'gausian(sigma=1)'
