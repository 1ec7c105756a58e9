# p = 1 is Laplace, p = 2 the Gaussian. Values: the project's vectors.
dpnoise law 'subbotin(p=1,scale=2)' 'subbotin(p=2,scale=1.5)' --at 0.5,1 --json |
    near 1e-12 laws.0.at.0.pdf=0.1947001957678512170612926 laws.1.at.1.pdf=0.2129653370149014733933218 \
        laws.0.variance=8 laws.1.variance=2.25 laws.0.nfi=2 laws.1.nfi=1
