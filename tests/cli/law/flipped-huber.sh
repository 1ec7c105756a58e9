# The example of the contract, and deep tails. Values: mpmath, 60 digits, and the project's vectors.
dpnoise law 'flipped-huber(alpha=3,gamma=1)' --at 0.5 --prob 1e-12 --mgf 3.5 --json |
    near variance=0.2220631095887269714017995 fisher=9.000208544157833869021312 nfi=1.998614296262717893847012 \
        mean_abs=0.3332957435042300178021785 entropy=0.5944199782394822133580993 \
        at.0.pdf=0.3346988019255734377187732 at.0.log_pdf=-1.094524250318399147868755 \
        at.0.sf=0.111560946493495372438044 at.0.log_sf=-2.193184232093409161343147 \
        quantiles.0.isf=6.57737789661697946009548 \
        quantiles.0.t=-6.57737789661697946009548 mgf.0.log_mgf=3.173010474301960173679761
dpnoise law 'flipped-huber(alpha=2,gamma=1)' --at 20,100 --prob 1e-40 --json |
    near at.0.sf=9.368247384586116876357311e-90 at.1.log_pdf=-5001.997115498218057426808 \
        quantiles.0.isf=13.23012908287630963741401
