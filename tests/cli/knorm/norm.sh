# Values of the vectors, a 3-4-5 triangle and sqrt(9 + 256).
dpnoise knorm norm k2 --at -3,2 | grep -v 'at most'
dpnoise knorm norm 'l2(1,2)' --at 3,8 | grep -v 'at most'
dpnoise knorm entropy k2
dpnoise knorm volume 'l1.5' --dim 5
dpnoise knorm norm 'l2(1,2)' --at 3,8 --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
print(5 <= answer["norm_upper"] <= 5 * (1 + 1e-9), answer["inside"])'
