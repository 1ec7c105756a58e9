# Values: the project's vectors; the density jumps, so the Fisher information is infinite.
dpnoise law 'staircase(epsilon=1,sensitivity=1,gamma=0.3)' --at 0.1,0.5,-3.2 --json |
    near variance=1.932933651585658121736197 at.0.pdf=0.5669083957724973721054316 \
    at.1.pdf=0.2085539438321851879273461 \
        at.2.pdf=0.02822470705864139697179888 fisher=inf nfi=inf sub_gaussian=inf mgf_bound=1 log_concave=false
dpnoise law 'staircase(epsilon=0.1,sensitivity=2,gamma=0.5)' --json | near 1e-11 variance=799.6669998677710601767427
