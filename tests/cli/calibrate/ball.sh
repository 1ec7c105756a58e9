# Two of thirty answers move: the box needs (31)(32)/3, the l2 ball of radius 2^(1/2) 62, the l1 ball 8, which is independent laplace noise.
set="--epsilon 1 --linf 1 --dim 30 --max-changed 2 --json"
for row in box=9920 l2=1860 l1=240 linf=9920; do
    dpnoise calibrate k-norm $set --ball ${row%=*} | near 1e-12 mse=${row#*=}
done
dpnoise calibrate k-norm $set >best
near 1e-12 mse=240 note="K-norm noise of an l1 ball is independent laplace noise" <best
dpnoise calibrate laplace $set | near 1e-8 mse=240
# The hull of vertices: its exact variances, the half-widths by closed forms; the plan holds the vertices and is certified from its file.
printf '2 0\n1 2\n1 -2\n' >moves
dpnoise calibrate k-norm --epsilon 1 --vertices moves --json >hull
near 1e-14 variance.0=10 variance.1=40/3 mse=70/3 pure=true plan.0.vertices.2.1=-2 plan.0.sensitivities.1=2 <hull
/usr/bin/python3 - <<'END'
import json, math
def tail(a, b, t):
    a, b = max(a, b), min(a, b)
    if a <= 0: return 0
    if b <= 0: return a * math.exp(-t / a) / (a - b)
    return (1 + t / a) * math.exp(-t / a) if a == b else (a * math.exp(-t / a) - b * math.exp(-t / b)) / (a - b)
ring = [(2, 0), (1, 2), (-1, 2), (-2, 0), (-1, -2), (1, -2), (2, 0)]  # triangles of equal area
for i, t in enumerate(json.load(open("hull"))["interval95"]):
    beyond = sum(tail(v[i], w[i], t) for v, w in zip(ring, ring[1:])) / 6
    assert abs(beyond - 0.025) < 1e-11, (i, t, beyond)
END
dpnoise profile --plan hull --epsilon 1 --json | near delta=0 argument=bound sensitivity.vertices=3
dpnoise profile --plan hull --epsilon 0.5 --json | near 1e-9 delta=0.22119921692859513
dpnoise profile --plan hull --epsilon 0.5 --vertices moves --json | near 1e-9 delta=0.22119921692859513
dpnoise renyi --plan hull --order 2 --json | near argument=bound
# With a delta, a = epsilon - 2 log(1 - delta): all errors are less by its square.
dpnoise calibrate k-norm --epsilon 1 --delta 0.01 --vertices moves --json | near 2e-8 mse=22.42284518
# Fewer vertices are held too; others, and boxes, may lie outside.
printf '1 -2\n-2 0\n' >fewer
printf '2 0\n1 2.5\n' >others
dpnoise profile --plan hull --epsilon 1 --vertices fewer --json | near delta=0
dpnoise profile --plan hull --epsilon 1 --vertices others || echo $?
dpnoise profile --plan hull --epsilon 1 --sensitivities 1,1 || echo $?
# A hull that is flat has no noise of its own: the sentence says what to release.
printf '1 2\n2 4\n' >flat
dpnoise calibrate k-norm --epsilon 1 --vertices flat --ball hull || echo $?
dpnoise calibrate k-norm --epsilon 1 --vertices flat --json | near plan.0.noise="k-norm(ball=box,epsilon=1)"
dpnoise calibrate k-norm --epsilon 1 --sensitivities 1,2 --ball hull || echo $?
dpnoise calibrate k-norm --epsilon 1 --sensitivities 1,2 --ball cube || echo $?
dpnoise calibrate laplace --epsilon 1 --sensitivities 1,2 --ball l2 || echo $?
