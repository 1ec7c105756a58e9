# Where delta is only bounded the space between the bounds is shaded, and only there.
dpnoise profile 'osgt(m=10,sigma=20)' --l2 1 --dim 20 --plot bound.svg >/dev/null
dpnoise profile 'osgt(m=10,sigma=20)' --l1 1 --dim 20 --plot exact.svg >/dev/null
grep -c 'shaded' bound.svg
grep -c 'shaded' exact.svg || true
