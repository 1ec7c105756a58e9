dpnoise profile --law 'gaussian(sigma=20)' --sensitivity 1 --times 20 --law 'gaussian(sigma=10)' --sensitivity 0.5 --epsilon 1
