# The sentence says why something is infinite or undefined.
dpnoise law 'discrete-gaussian(sigma=3)' --at 2 | grep -e Fisher -e probability | sed 's/  *[0-9.-]*$//'
dpnoise law 'staircase(epsilon=1,sensitivity=1,gamma=0.4)' | grep Fisher
dpnoise law 'discrete-gaussian(sigma=3)' 'gaussian(sigma=3)' --at 2 | tail -n 2
