# Values: closed forms integrated by mpmath with 60 digits; nothing lies beyond the bound.
dpnoise law 'truncated-laplace(scale=2,bound=3)' --at 3,3.0000001,1 --prob 1,0 --json |
    near support=3 fisher=inf mgf_bound=inf log_concave=true variance=1.968444747433766868927586 \
        at.0.sf=0 at.0.cdf=1 at.1.pdf=0 at.1.log_pdf=-inf \
        at.2.sf=0.2467598044721729870484789 quantiles.0.t=3 quantiles.1.t=-3 quantiles.1.isf=3
