# Values: the project's vectors. Between the integers there is no probability; location has no derivative.
dpnoise law 'discrete-flipped-huber(alpha=20.48,gamma=6.4)' --at 3,-40,0.5 --json |
    near 1e-12 integer=true fisher=null nfi=null variance=7.833592765461851425819326 \
        at.0.pdf=0.05464888899043413923272425 at.1.pdf=4.820823296209112629826808e-12 at.2.pdf=0 at.2.log_pdf=-inf
dpnoise law 'discrete-osgt(m=3,sigma=6)' --at 0,-7 --json |
    near 1e-12 variance=24.42816398165584574213261 at.0.pdf=0.09496423554320290087272550 \
        at.1.pdf=0.02683243625920280358246212
dpnoise law 'discrete-laplace(scale=3)' 'discrete-gaussian(sigma=0.5)' --at 5 --json |
    near 1e-12 laws.0.at.0.pdf=0.03119099504398325766643949 laws.0.variance=17.83425519251301428681574 \
        laws.1.variance=0.2150126750881384863835551
