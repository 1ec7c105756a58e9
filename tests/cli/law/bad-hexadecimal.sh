dpnoise law 'gaussian(sigma=0x1p3)'
