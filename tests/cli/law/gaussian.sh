# Values: mpmath, 60 digits.
dpnoise law 'gaussian(sigma=1)' --at 2,40 --prob 1e-12,1e-300,0.975 --mgf 3 --json |
    near variance=1 standard_deviation=1 fisher=1 nfi=1 sub_gaussian=1 mgf_bound=inf \
        mean_abs=0.7978845608028653558798921 entropy=1.41893853320467274178033 \
        at.0.pdf=0.0539909665131880519505642 at.0.log_pdf=-2.91893853320467274178033 \
        at.0.sf=0.02275013194817920720028264 at.0.cdf=0.9772498680518207927997174 \
        at.0.log_cdf=-0.02301290932896348846533617 at.0.log_sf=-3.783184333682031948835547 at.1.sf=0 at.1.pdf=0 \
        at.1.log_sf=-804.6084420137537881666068 quantiles.0.t=-7.034483825301131932614176 \
        quantiles.1.isf=37.04709629936119923654704 quantiles.2.t=1.959963984540053855604431 mgf.0.log_mgf=4.5
