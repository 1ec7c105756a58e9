# Values: the project's vectors.
dpnoise law 'osgt(m=3,sigma=6.324555320336759)' --json |
    near variance=27.70467832633460929913573 fisher=0.03830957604604086597603929
dpnoise law 'osgt(m=3,sigma=6)' --at 60 --prob 1e-20 --mgf 0.5 --json |
    near at.0.sf=6.999158571827709873555656e-26 quantiles.0.t=-52.88240661538290479314037 \
        mgf.0.log_mgf=3.481226212982686457580136
