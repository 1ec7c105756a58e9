dpnoise law 'gaussian(sigma=1)' --plot missing/laws.svg
