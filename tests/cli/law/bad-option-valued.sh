dpnoise law 'gaussian(sigma=1)' --json=yes
