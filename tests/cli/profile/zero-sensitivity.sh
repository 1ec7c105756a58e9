# Answers that do not move are safe.
dpnoise profile 'gaussian(sigma=1)' --sensitivity 0 --dim 3 --epsilon 0 --json | near delta=0 sensitivity.dimension=3
dpnoise profile 'gaussian(sigma=1)' --sensitivity 0 --delta 0 --json | near epsilon=0
