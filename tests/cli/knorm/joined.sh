# Balls made of balls: volumes by formula and by points, exact draws with their acceptance; approximate ones by name alone.
printf '2,1\n0,1\n' >matrix
dpnoise knorm volume 'image:matrix:l2' | sed -n 2p
dpnoise knorm volume 'l2(1,1) * box(1,2)' | sed -n 2p
dpnoise knorm volume 'l2(1,1) + box(1,2)' | sed -n 2p
dpnoise knorm volume 'regression-hull(2)' | sed -n 2p
dpnoise knorm norm 'box(1,1) & l1(1.5,1.5)' --at 0.9,0.9 | sed -n 2p
dpnoise knorm norm 'box(1e+0,2E+0) + l1(1e+1)' --at 0.2,1,7 | sed -n 2p # 1/2 and 7/10
dpnoise knorm sample 'box(1,1) & l1(1.5,1.5)' --json --count 3 | python3 -c '
import json, sys
o = json.load(sys.stdin)
print(len(o["samples"]), abs(o["acceptance"] - 0.875) < 0.15, o["exact"])'
dpnoise knorm sample 'image:matrix:l2 & l2(2,2)' --count 4000 >some
dpnoise knorm sample 'image:matrix:l2' --count 4000 | python3 -c '
import sys
# The variance is A A^T times that of l2 noise in two dimensions, (m+1)(m+2)/(m+2) = 3.
rows = [[float(x) for x in line.split()] for line in sys.stdin]
for j, k, expected in (0, 0, 15), (0, 1, 3), (1, 1, 3):
    found = sum(row[j] * row[k] for row in rows) / len(rows)
    print(abs(found - expected) < 0.2 * max(expected, 5))'
dpnoise knorm sample l2 --dim 2 --count 2 --approximate hit-and-run --json | python3 -c '
import json, sys
o = json.load(sys.stdin)
print(o["approximate"], o["exact"], o["steps"], len(o["samples"]), "acceptance" in o)'
dpnoise knorm sample l2 --dim 2 --approximate hit-and-run | wc -w
refused() { dpnoise knorm "$@" || echo $?; }
refused sample l2 --dim 2 --approximate gibbs
refused sample l2 --dim 2 --approximate hit-and-run --grid 1
refused sample 'regression(40)'
refused volume 'l2(1,1) & l2(1,1,1)'
refused volume 'l2 + l2' --dim 4
refused volume 'l2(1,1) &'
refused volume 'image:matrix'
refused volume 'image:matrix:l2(1,1,1)'
refused volume 'regression-hull(3)'
