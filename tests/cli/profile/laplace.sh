# Values: the project's vectors, and those of the issue for 20, 100 and 1000 releases, to nine digits.
dpnoise profile 'laplace(scale=3)' --sensitivity 1 --epsilon 0.2 --json | holds 1e-6 delta=0.06449301496838225707645924~1e-15
dpnoise profile 'laplace(scale=1)' --sensitivity 1 --epsilon 0,1,2 --json |
    holds 1e-6 profile.0.delta=0.3934693402873665763962005 profile.1.delta=0 profile.2.delta=0
dpnoise profile 'laplace(scale=1)' --sensitivity 1 --dim 2 --epsilon 0.5 --json | holds 1e-5 delta=0.35049598998115622~2e-13
dpnoise profile 'laplace(scale=4)' --sensitivity 1 --dim 5 --epsilon 0.3 --json | holds 1e-5 delta=0.10900699199146933~2e-12
dpnoise profile --law 'laplace(scale=10)' --sensitivity 1 --times 20 --epsilon 1 --json | holds 1e-5 delta=2.29433634e-3~4e-9
dpnoise profile --law 'laplace(scale=10)' --sensitivity 1 --times 100 --epsilon 1 --json | holds 1e-5 delta=1.21251788e-1~4e-9
dpnoise profile --law 'laplace(scale=10)' --sensitivity 1 --times 1000 --epsilon 1 --json | holds 1e-5 delta=8.09199628e-1~4e-9
