# A failure in JSON too.
dpnoise renyi 'gaussian(sigma=5)' --sensitivity 1 --order 0 --json
