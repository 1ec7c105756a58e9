# Steps on random samples: the published example of private training, JSON members, and what is refused.
# dear: long trainings; accuracy and calibrate/sampling have short ones
holds() { dpnoise profile "$@" --json | /usr/bin/python3 -c '
import json, sys
answer = json.load(sys.stdin)
print(answer["sample_rate"], answer["steps"], answer["relation"], 2.12450 < answer["epsilon_lower"] <= answer["epsilon"] < 2.12455)'; }
holds --law 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 0.01 --steps 1000 --delta 1e-6
# Close to the largest loss of one direction only the other one matters.
dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 0.01 --steps 100 --epsilon 1 --json | near 1e-5 delta=6.6714e-7
dpnoise profile --law 'laplace(scale=2)' --sensitivity 1 --sample-rate 0.1 --steps 20 --epsilon 1 | unwrapped | grep -E 'sampling|neighbours'
# Training as people do it; the truth is known to these digits from elsewhere.
training() { dpnoise profile --law "gaussian(sigma=$1)" --sensitivity 1 --sample-rate "$2" --steps "$3" --delta "$4" --json | near "$5" "epsilon=$6" "epsilon_lower=$6"; }
training 1.3 0.00416667 3600 1e-5 1e-4 0.8530
training 1.1 0.01 10000 1e-5 1e-4 5.1926
training 0.7 0.001 100000 1e-6 2e-4 4.1357
training 2 0.05 2000 1e-8 1e-4 7.2255
# What cannot be had accurately is answered with a wider interval.
dpnoise profile --law 'truncated-laplace(scale=2,bound=30)' --sensitivity 1 --sample-rate 0.01 --steps 1000 --delta 1e-4 --json |
    /usr/bin/python3 -c 'import json, sys; a = json.load(sys.stdin); print(a["accuracy_met"], 0 < a["epsilon_lower"] < a["epsilon"] < 10)'
dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 0.01 --steps 1000 --delta 1e-6 --json |
    /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["accuracy_met"])'
for bad in '--sample-rate 2' '--sample-rate x' '--sample-rate nan' '--sample-rate -0.1' '--sample-rate 0.1 --steps 0' \
    '--sample-rate 0.1 --relation replace' '--steps 5'; do
    # shellcheck disable=SC2086 # options
    dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 1 --epsilon 1 $bad || echo $?
done
dpnoise profile 'gaussian(sigma=1)' --l2 1 --dim 2 --sample-rate 0.1 --epsilon 1 || echo $?
# One row is replaced: exact for antipodal rows, else a bound, and batches of fixed size.
dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 2 --present 1 --relation replace --sample-rate 0.01 --steps 20 --delta 1e-6 --json |
    /usr/bin/python3 -c 'import json, sys; a = json.load(sys.stdin); print(a["argument"], a["relation"], a["present"], a["accuracy_met"], a["epsilon"] - a["epsilon_lower"] < 1e-3)'
dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 1.5 --present 1 --relation replace --sample-rate 0.01 --epsilon 0.3 | unwrapped | grep -E 'worst|present|neighbours'
dpnoise profile --law 'gaussian(sigma=2)' --sensitivity 2 --batch 100 --population 10000 --steps 20 --epsilon 1 --json |
    /usr/bin/python3 -c 'import json, sys; a = json.load(sys.stdin); print(a["argument"], a["relation"], a["batch"], a["population"], a["sample_rate"] >= 0.01, 0 < a["delta_lower"] <= a["delta"] < 1e-4)'
dpnoise profile --law 'gaussian(sigma=2)' --sensitivity 2 --batch 100 --population 10000 --epsilon 1 | unwrapped | grep -E 'worst|sampling|neighbours'
for bad in '--batch 5' '--batch 5 --population 4' '--batch 5 --population 10 --sample-rate 0.5' '--batch 5 --population 10 --relation add-remove' \
    '--batch 5 --population 10 --present 1' '--present 1' '--sample-rate 0.1 --present 1' '--sample-rate 0.1 --relation replace --present x' \
    '--sample-rate 0.1 --relation replace --present 1 --times 2' '--sample-rate 0.1 --relation replace --present 0.49'; do
    # shellcheck disable=SC2086 # options
    dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 1 --epsilon 1 $bad || echo $?
done
