# accuracy_met says whether the ends are within the accuracy, of laws, compositions, plans and samples alike; a bound whose ends are apart is not.
meets() { dpnoise profile "$@" --json | /usr/bin/python3 -c '
import json, sys
a = json.load(sys.stdin)
within = a["delta"] <= a["delta_lower"] * (1 + a["accuracy"]) * (1 + 1e-9)
print(a["argument"], a["accuracy"], a["accuracy_met"], a["accuracy_met"] == within)'; }
meets 'gaussian(sigma=1)' --sensitivity 1 --epsilon 0.3
meets 'osgt(m=3,sigma=2)' --l2 1 --dim 20 --epsilon 0.3
meets --law 'laplace(scale=8)' --sensitivity 1 --times 10 --epsilon 0.9 --accuracy 1e-3
meets --law 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 0.01 --steps 1000 --epsilon 2
meets --law 'gaussian(sigma=1)' --sensitivity 2 --present 1 --relation replace --sample-rate 0.01 --steps 20 --epsilon 0.5
meets --law 'gaussian(sigma=2)' --sensitivity 2 --batch 100 --population 10000 --steps 20 --epsilon 1
meets --law 'gaussian(sigma=2)' --sensitivity 2 --batch 100 --population 10000 --steps 20 --epsilon 1 --accuracy 0.2
meets --pure 1 --shuffle 1000 --epsilon 0.1
# What is asked is reached; what cannot be is answered by a wider interval, or refused by the one method that was asked for.
dpnoise profile --law 'laplace(scale=8)' --sensitivity 1 --times 10 --epsilon 0.9 --accuracy 1e-3 --json |
    holds 1e-3 delta=0.0016078235829133855~1e-13
meets --law 'laplace(scale=8)' --sensitivity 1 --times 10 --epsilon 0.9 --accuracy 1e-15
meets --law 'subbotin(p=4,scale=1)' --sensitivity 0.5 --times 2 --epsilon 2 --accuracy 1e-14
dpnoise profile --law 'laplace(scale=8)' --sensitivity 1 --times 10 --epsilon 0.9 --accuracy 1e-15 --method contour >out 2>err || echo $?
wc -c <out
grep -c '^dpnoise profile: the contour sum' err
