# Values: the project's vectors.
dpnoise profile 'flipped-huber(alpha=2,gamma=1)' --sensitivity 1 --epsilon 0,1,3,8 --json |
    holds 1e-6 profile.0.delta=0.6339465439695281257630891 profile.1.delta=0.3970877128908676627448557 \
        profile.2.delta=0.0005229738045657288857092691 profile.3.delta=1.242064975160478665003442e-15
dpnoise profile 'flipped-huber(alpha=80,gamma=20)' --sensitivity 1 --dim 3 --epsilon 0.3 --json |
    holds 1e-5 delta=0.040041635590369849~1e-13
dpnoise profile 'flipped-huber(alpha=3,gamma=10)' --sensitivity 1 --dim 5 --epsilon 1 --json |
    holds 1e-5 delta=2.9050802631193578e-07~8e-11
dpnoise profile --law 'flipped-huber(alpha=1,gamma=42)' --sensitivity 1 --times 100 --epsilon 1 --json |
    holds 1e-5 delta=1.127522831533175e-06~4e-8
