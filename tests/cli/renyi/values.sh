# Values: the project's vectors for flipped Huber and OSGT; Gaussian and Laplace in closed form at 40 digits.
dpnoise renyi 'flipped-huber(alpha=2,gamma=1)' --sensitivity 1 --order 2 --json |
    holds 1e-10 divergence=1.623542002560061154923029
dpnoise renyi 'flipped-huber(alpha=20.48,gamma=6.4)' --sensitivity 1 --order 64 --json |
    holds 1e-10 divergence=0.7220269105014221238616138
dpnoise renyi 'osgt(m=1,sigma=0.5)' --sensitivity 0.5 --order 5,5 --json |
    holds 1e-10 renyi.0.divergence=3.267381804622265937677046 renyi.1.divergence=3.267381804622265937677046
dpnoise renyi 'osgt(m=10,sigma=2)' --sensitivity 1 --order 200 --json | holds 1e-10 divergence=25.07222035785642603229481
dpnoise renyi 'gaussian(sigma=2)' --sensitivity 3 --dim 4 --order 5,1 --json |
    holds 1e-13 renyi.0.divergence=22.5 renyi.1.divergence=4.5
dpnoise renyi 'laplace(scale=1)' --sensitivity 1 --order 1,inf --json |
    holds 1e-10 renyi.0.divergence=0.3678794411714423215955237701614608674458 renyi.1.divergence=1
dpnoise renyi 'truncated-laplace(scale=1,bound=9)' --sensitivity 1 --order 2 --json 2>/dev/null |
    near divergence=inf divergence_lower=inf zcdp=null
