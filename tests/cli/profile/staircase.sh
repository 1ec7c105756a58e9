# Values: the project's vectors.
dpnoise profile 'staircase(epsilon=1,sensitivity=1,gamma=0.4)' --sensitivity 1 --epsilon 0.3 --json |
    holds 1e-6 delta=0.3542382315126286557200083~1e-13
dpnoise profile 'staircase(epsilon=0.3,sensitivity=1,gamma=0.45)' --sensitivity 1 --dim 5 --epsilon 0.7 --json |
    holds 1e-5 delta=0.07459372073888692785505677~1e-12
