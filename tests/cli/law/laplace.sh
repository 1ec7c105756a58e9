# Values: closed forms. exp(-3/2)/4, log 2, 3 log 10, -log(1 - 4/16).
dpnoise law 'laplace(scale=2)' --at 3 --prob 0.0005 --mgf 0.25 --json |
    near variance=8 mean_abs=2 fisher=0.25 nfi=2 sub_gaussian=inf mgf_bound=0.5 entropy=2.386294361119890618834464 \
        at.0.pdf=0.05578254003710745724558945 at.0.sf=0.1115650800742149144911789 \
        at.0.log_sf=-2.193147180559945309417232 quantiles.0.t=-13.81551055796427410410795 \
        mgf.0.log_mgf=0.2876820724517809274392190
