dpnoise profile 'gaussian(sigma=5)' --sensitivity -1 --epsilon 1 --json
