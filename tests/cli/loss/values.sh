# The project's vectors (mpmath, 40 digits or more) for the loss, R, omega and theta; FH's formula for the Orlicz function.
dpnoise loss 'flipped-huber(alpha=2,gamma=1)' --shift 1 --at 0.5 --epsilon 0.5 --orlicz 0.5 --r-inverse 3 --json |
    near r=3 r_inverse.0.alpha=2 thresholds.0.inverse=0.125 orlicz.0.value=1.1770587526104361998 affine.slope=1 at.0.loss=2 \
        at.0.centred=2 at.0.loss_bound=2.5 thresholds.0.t1=-0.375 thresholds.0.t2=0.625 thresholds.0.case=2
dpnoise loss 'flipped-huber(alpha=5,gamma=1)' --shift 1 --json | near omega=107334.9146082961793838400
dpnoise loss 'flipped-huber(alpha=8,gamma=2)' --shift 1 --json | near theta=6.282682258750699358448051
# OSGT: t d/sigma^2 + (2m/sigma^2) sgn(t) sgn(d) min(|t|, |d|/2)
dpnoise loss 'osgt(m=3,sigma=2)' --shift 1 --at 0.25,3 --json | near at.0.centred=0.4375 at.1.centred=1.5
dpnoise loss 'laplace(scale=2)' 'gaussian(sigma=2)' --shift 1,2 --at 0.25 --json |
    near losses.0.at.0.centred=0.25 losses.1.at.0.centred=0.25 losses.2.at.0.centred=0.0625 losses.3.at.0.loss=0.625
