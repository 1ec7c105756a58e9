# Values: closed forms, pi^2 s^2/3, 1/(3 s^2), 1/(1+e^2).
dpnoise law 'logistic(scale=0.5)' --at 1 --prob 1e-300 --json |
    near variance=0.8224670334241132182362076 fisher=1.333333333333333333333333 \
        at.0.sf=0.1192029220221175559402709 at.0.pdf=0.2099871708070130346972484 mgf_bound=2 \
        quantiles.0.isf=345.3877639491068525901692
