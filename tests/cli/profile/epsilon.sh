# Values: the project's vectors.
dpnoise profile 'flipped-huber(alpha=20.48,gamma=6.4)' --sensitivity 1 --delta 1e-6 --json |
    holds 1e-6 epsilon=0.4999998001643458193535271~1e-12
dpnoise profile 'flipped-huber(alpha=2,gamma=1)' --sensitivity 1 --delta 1e-30 --json |
    holds 1e-6 epsilon=11.64900775655583638382742~1e-12
dpnoise profile 'osgt(m=3,sigma=6.324555320336759)' --sensitivity 1 --delta 1e-10,1e-30 --json |
    holds 1e-6 profile.0.epsilon=0.9366257564985840631049379~1e-12 profile.1.epsilon=1.771927169361717226925616~1e-12
dpnoise profile 'gaussian(sigma=5)' --l2 1 --delta 1e-6 --json | holds 1e-6 epsilon=0.8341175486240523472119192~1e-12
