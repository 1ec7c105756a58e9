# Steps on random samples: the published example of private training, JSON members, and what is refused.
holds() { dpnoise profile "$@" --json | /usr/bin/python3 -c '
import json, sys
answer = json.load(sys.stdin)
print(answer["sample_rate"], answer["steps"], answer["relation"], 2.12450 < answer["epsilon_lower"] <= answer["epsilon"] < 2.12455)'; }
holds --law 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 0.01 --steps 1000 --delta 1e-6
# Close to the largest loss of one direction only the other one matters.
dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 0.01 --steps 100 --epsilon 1 --json | near 1e-5 delta=6.6714e-7
dpnoise profile --law 'laplace(scale=2)' --sensitivity 1 --sample-rate 0.1 --steps 20 --epsilon 1 | grep -E 'sampling|neighbours'
for bad in '--sample-rate 2' '--sample-rate x' '--sample-rate nan' '--sample-rate -0.1' '--sample-rate 0.1 --steps 0' \
    '--sample-rate 0.1 --relation replace' '--steps 5'; do
    # shellcheck disable=SC2086 # options
    dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 1 --epsilon 1 $bad || echo $?
done
dpnoise profile 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 0.1 --epsilon 1
