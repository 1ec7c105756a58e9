# Values: the project's vectors; for 10^6 and 10^9 releases the closed form at 40 digits.
dpnoise profile 'gaussian(sigma=1)' --sensitivity 1 --epsilon 0,1 --json |
    holds 1e-6 profile.0.delta=0.3829249225480262072754092 profile.1.delta=0.1269367375066439458008296
dpnoise profile 'gaussian(sigma=13)' --sensitivity 1 --epsilon 0.3 --json |
    holds 1e-6 delta=0.0000009895523711939598460268250~1e-13
dpnoise profile 'gaussian(sigma=0.1)' --sensitivity 1 --epsilon 100 --json |
    holds 1e-6 delta=0.0000001879717002051907491673519
dpnoise profile 'gaussian(sigma=4)' --sensitivity 1 --epsilon 3 --json | holds 1e-6 delta=1.623832873823962070474579e-34
dpnoise profile --law 'gaussian(sigma=10)' --sensitivity 1 --times 1000000 --epsilon 5600 --json |
    holds 1e-6 delta=9.292730955779953378259495071730222901816e-10
dpnoise profile --law 'gaussian(sigma=10)' --sensitivity 1 --times 1e9 --epsilon 5018965 --json |
    holds 1e-6 delta=1.001426209266530095309442870270361378907e-9
