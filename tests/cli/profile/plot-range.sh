# What gnuplot is told. The curve of gaussian(sigma=1) begins at (0, log10 0.38292492) and leaves the picture where delta is 1e-12:
# at epsilon 7.3 (closed form at 40 digits). That of Laplace noise ends at 1.
mkdir bin
printf '#!/bin/sh\ncat >script\necho picture\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH
dpnoise profile 'gaussian(sigma=1)' 'laplace(scale=1)' --sensitivity 1 --plot p.svg >/dev/null
sed -n '/^\$curve0 <</{n;p;}' script | cut -c 1-12
sed -n 's/^set xrange \[\(.*\):\(.*\)\]$/\1 \2/p' script | xargs printf '%.1f %.1f\n'
sed -n '/^\$curve1 <</,/^E/p' script | /usr/bin/python3 -c '
import sys
points = [tuple(map(float, line.split())) for line in sys.stdin if line[0] not in "$E"]
assert all(b[0] > a[0] and b[1] <= a[1] for a, b in zip(points, points[1:]))
assert all((p[1] < -12) == (p[0] >= 1) for p in points)'
# A long composition begins where delta leaves 1.
dpnoise profile --law 'gaussian(sigma=10)' --sensitivity 1 --times 1000000 --plot p.svg >/dev/null
sed -n 's/^set xrange \[\(.*\):\(.*\)\]$/\1 \2/p' script | /usr/bin/python3 -c '
left, right = map(float, input().split())
assert 4700 < left < 4900 and 5650 < right < 5800, (left, right)'
