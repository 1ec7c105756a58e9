# Values: the project's vectors.
dpnoise profile 'flipped-huber(alpha=2,gamma=1)' --sensitivity 1 --epsilon -0.5 --json |
    holds 1e-6 delta=0.7149879517010013986582795
dpnoise profile 'osgt(m=1,sigma=1)' --sensitivity 1 --epsilon=-0.3 --json |
    holds 1e-6 delta=0.6387598473390581411108616~1e-14
dpnoise profile 'osgt(m=1,sigma=1)' --sensitivity 1 --epsilon -0.3 | sed -n 2p
