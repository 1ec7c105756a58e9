# Integers as stems on the linear scale: a Gaussian of sigma 3 shows 0 to 10 and -10 to -1 (tail below 1e-3).
dpnoise law 'discrete-gaussian(sigma=3)' --plot p.svg >/dev/null
grep -c 'probability' p.svg
