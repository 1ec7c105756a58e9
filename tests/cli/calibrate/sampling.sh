# The least noise for steps on random samples: sigma 1 has epsilon 2.12451517 at 1e-6; what is refused.
dpnoise calibrate gaussian --sample-rate 0.01 --steps 1000 --epsilon 2.12451517 --delta 1e-6 --sensitivity 1 --json |
    near 1e-6 family=gaussian variance=1 delta=1e-6 sample_rate=0.01 steps=1000 relation=add-remove
# An l2 sensitivity of 2 needs twice the noise.
dpnoise calibrate gaussian --sample-rate 0.01 --steps 1000 --epsilon 2.12451517 --delta 1e-6 --l2 2 --dim 50 --json | near 1e-6 variance=4
dpnoise calibrate gaussian --sample-rate 0.01 --steps 1000 --epsilon 2 --delta 1e-6 --sensitivity 1 | grep -E 'private|sampling|neighbours'
for bad in '--steps 5' '--sample-rate 2' '--sample-rate 0.1 --times 3' '--sample-rate 0.1 --relation replace' '--sample-rate x'; do
    # shellcheck disable=SC2086 # options
    dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 $bad || echo $?
done
# What a law allows: 1000 steps of sigma 1 have epsilon 2.12451517; the next one is excluded, or it is said that it is not.
dpnoise calibrate 'gaussian(sigma=1)' --sample-rate 0.01 --steps most --epsilon 2.1245152 --delta 1e-6 --sensitivity 1 --json |
    /usr/bin/python3 -c 'import json, sys; a = json.load(sys.stdin); print(a["searched"], a["steps"], a["delta"] <= 1e-6, a["next"]["steps"], a["next"]["excluded"], a["next"]["delta_lower"] > 1e-6)'
dpnoise calibrate 'gaussian(sigma=1)' --sample-rate most --steps 1000 --epsilon 2.12451517 --delta 1e-6 --sensitivity 1 --json | near 1e-6 sample_rate=0.01 searched=sample_rate
dpnoise calibrate 'gaussian(sigma=2)' --batch most --population 1000 --epsilon 0.3 --delta 1e-3 --sensitivity 2 | unwrapped | grep -E 'sampling|more|worst|neighbours'
dpnoise calibrate gaussian --sample-rate 0.01 --relation replace --present 1 --epsilon 0.3 --delta 1e-3 --sensitivity 2 | grep -E 'present|neighbours'
most='--epsilon 1 --delta 1e-6 --sensitivity 1'
# shellcheck disable=SC2086 # options
for bad in "gaussian --sample-rate 0.1 --steps most $most" "gaussian(sigma=1) --sample-rate 0.1 --steps 5 $most" \
    "gaussian(sigma=1) --sample-rate most --steps most $most" "gaussian --batch 5 $most" "gaussian --present 1 $most" \
    "gaussian --batch 5 --population 10 --relation add-remove $most" "gaussian --sample-rate 0.1 --present 1 $most" \
    "gaussian(sigma=0.01) --sample-rate 0.1 --steps most $most" "gaussian --sample-rate 0.1 --relation replace --present 0.49 $most"; do
    dpnoise calibrate $bad || echo $?
done
# Any family: the shape is searched, between Laplace and Gaussian noise, and has less error than both and than a shape that is given.
run='--sample-rate 0.2 --steps 4 --epsilon 0.5 --delta 1e-5 --sensitivity 1 --json'
# shellcheck disable=SC2086 # options
for family in laplace gaussian 'flipped-huber --shape 1' 'flipped-huber --shape 2:3' flipped-huber 'flipped-huber --objective mae' staircase discrete-osgt; do
    dpnoise calibrate $family $run
done | /usr/bin/python3 -c '
import json, sys
laplace, gaussian, one, near, best, mae, stairs, whole = a = list(map(json.loads, sys.stdin))
v = [x["variance"][0] if isinstance(x["variance"], list) else x["variance"] for x in a]
print(v[4] < min(v[0], v[1], v[2]), abs(v[4] / v[3] - 1) < 2e-3, v[5] > v[4], v[6] < v[0], all(x["delta"] <= 1e-5 for x in a))
print(whole["note"], mae["objective"], best["objective"])'
dpnoise calibrate osgt --shape 5:9 --sample-rate 0.5 --steps 2 --epsilon 0.05 --delta 1e-3 --sensitivity 1 | unwrapped | grep note
dpnoise calibrate laplace --sample-rate 0.1 --epsilon 1 --delta 1e-6 --l2 1 --dim 3 || echo $?
dpnoise calibrate gaussian --sample-rate 0.1 --epsilon 1 --sensitivity 1 || echo $?
