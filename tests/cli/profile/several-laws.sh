dpnoise profile 'gaussian(sigma=2)' 'laplace(scale=2)' --sensitivity 1 --epsilon 0.25,0.5
