# The flipped Huber law is marked where it changes its form, the Gaussian has no such point.
dpnoise law 'flipped-huber(alpha=2,gamma=1)' --plot fh.svg >/dev/null
dpnoise law 'gaussian(sigma=1)' --plot gaussian.svg >/dev/null
grep -c 'rings: where' fh.svg
grep -c 'rings: where' gaussian.svg || true
