# Values: the project's vectors.
dpnoise profile 'osgt(m=3,sigma=6.324555320336759)' --sensitivity 1 --epsilon 0,0.0875,1,1.12 --json |
    holds 1e-6 profile.0.delta=0.08699762991798718901257402 profile.1.delta=0.04720047978920979170500882~1e-13 \
        profile.2.delta=7.847361017748750189931492e-12 profile.3.delta=4.153305188811477589682213e-14~1e-13
dpnoise profile 'osgt(m=15,sigma=25.099800796022265)' --sensitivity 1 --dim 8 --epsilon 0.9 --json |
    holds 1e-5 delta=1.6746392134081506e-15~2e-11
dpnoise profile 'osgt(m=3,sigma=6.324555320336759)' --sensitivity 1 --dim 3 --epsilon 1.2 --json |
    holds 1e-5 delta=2.3502783198983017e-06~2e-12
dpnoise profile 'osgt(m=11,sigma=24)' --sensitivity 1 --dim 20 --epsilon 1 --json | holds 1e-5 delta=1.9862685929260868e-07~5e-10
