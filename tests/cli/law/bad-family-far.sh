dpnoise law 'cauchy(scale=1)'
