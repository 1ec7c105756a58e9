dpnoise law 'gaussian(sigma=1)' --plot a.svg --plot b.svg
