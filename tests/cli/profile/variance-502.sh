# Flipped Huber noise of variance 502 on five answers at epsilon 0.3: delta is above 4e-5 and not 1e-8 as has been printed.
dpnoise law 'flipped-huber(alpha=16.04,gamma=22.913)' --json | near 1e-4 variance=502
dpnoise profile 'flipped-huber(alpha=16.04,gamma=22.913)' --sensitivity 1 --dim 5 --epsilon 0.3 --json |
    holds 1e-5 delta=4.2196276349611659e-05~6e-10
