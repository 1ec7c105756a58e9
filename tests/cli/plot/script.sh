# What gnuplot is told: the reach of the panels (tails of 1e-3 and 1e-12), the peak, the rings. Values: mpmath.
mkdir bin
printf '#!/bin/sh\ncat >script\necho picture\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH
dpnoise law 'gaussian(sigma=4)' --plot p.svg >/dev/null
sed -n 's/^set xrange \[.*:\(.*\)\]$/\1/p' script | xargs printf 'reach %.6f\n'
grep '^0 ' script
dpnoise law 'flipped-huber(alpha=3,gamma=1)' --plot p.svg >/dev/null
sed -n '/^\$log_rings0 <</,/^E$/p' script
