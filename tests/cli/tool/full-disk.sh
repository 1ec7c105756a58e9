dpnoise law 'gaussian(sigma=1)' >/dev/full
