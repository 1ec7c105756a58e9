# Values: the project's vectors, and the numbers of the papers' errata. A condition is an upper bound.
check() {
    value=$1
    shift
    dpnoise profile "$@" --json | /usr/bin/python3 -c '
import json, math, sys
d, value = json.load(sys.stdin), float(sys.argv[1])
assert value * (1 - 1e-15) <= d["condition_delta"] <= value * (1 + 1e-6), d
assert abs(d["condition_log_delta"] - math.log(value)) < 1e-6, d
assert d["condition_delta"] >= d["delta_lower"], d' "$value"
}
check 1.228721348e-14 'osgt(m=15,sigma=25.099800796022265)' --sensitivity 1 --dim 8 --epsilon 0.9 --condition osgt-20
check 0.52763344725898530 'laplace(scale=1)' --sensitivity 1 --dim 2 --epsilon 0.5 --condition inid-laplace
check 0.004670227478056753 'flipped-huber(alpha=3,gamma=6)' --sensitivity 1 --dim 3 --epsilon 1 --condition fh-theorem-8
