# Laplace of scale gamma^2/alpha for large alpha, Gaussian for small.
dpnoise law 'flipped-huber(alpha=1e6,gamma=1e3)' --json | near 1e-9 variance=2
dpnoise law 'flipped-huber(alpha=1e-9,gamma=1)' --at 2 --json |
    near 1e-9 variance=1 at.0.sf=0.02275013194817920720028264 at.0.pdf=0.0539909665131880519505642
dpnoise law 'flipped-huber(alpha=0,gamma=1)' --at 2 --json |
    near variance=1 at.0.sf=0.02275013194817920720028264 at.0.pdf=0.0539909665131880519505642
