# Phases of training: each --law has its own rate and steps.
# Equal phases are one phase with all their steps.
step="--law gaussian(sigma=1.1) --sensitivity 1 --sample-rate 0.01"
# shellcheck disable=SC2086 # options
dpnoise profile $step --steps 300 $step --steps 700 --delta 1e-5 --json >two
# shellcheck disable=SC2086
dpnoise profile $step --steps 1000 --delta 1e-5 --json >one
/usr/bin/python3 - <<'END'
import json
one, two = (json.load(open(name)) for name in ("one", "two"))
print(abs(one["epsilon"] / two["epsilon"] - 1) < 1e-5, two["epsilon_lower"] <= one["epsilon"], one["epsilon_lower"] <= two["epsilon"])
END
# At rate 1 they are Gaussian noise: mu^2 = 50/10^2 + 100/20^2, in closed form.
dpnoise profile --law 'gaussian(sigma=10)' --sensitivity 1 --sample-rate 1 --steps 50 --law 'gaussian(sigma=20)' --sensitivity 1 --sample-rate 1 --steps 100 \
    --epsilon 1 --json >full
/usr/bin/python3 - <<'END'
import json, math
full = json.load(open("full"))
mu, phi = math.sqrt(0.75), lambda x: math.erfc(-x / math.sqrt(2)) / 2
delta = phi(mu / 2 - 1 / mu) - math.e * phi(-mu / 2 - 1 / mu)
print(full["delta_lower"] <= delta * (1 + 1e-12) and delta <= full["delta"] * (1 + 1e-12), abs(full["delta"] / delta - 1) < 1e-5)
END
# shellcheck disable=SC2086
dpnoise profile $step --steps 300 --law 'laplace(scale=2)' --sensitivity 1 --sample-rate 0.02 --steps 5 --delta 1e-5 | sed -n '/steps of/p;/neighbours/p'
# What is half said, or said twice, is refused.
# shellcheck disable=SC2086
for more in '--law laplace(scale=2) --sample-rate 0.1 --steps 3' '--law laplace(scale=2) --sensitivity 1 --sample-rate 0.1' '--sample-rate 0.1' '--steps 4' \
    '--law laplace(scale=2) --sensitivity 1 --sample-rate 0.1 --steps 2 --times 3' '--law laplace(scale=2) --sensitivity 1 --sample-rate 0.1 --steps 2 --dim 3' \
    '--law laplace(scale=2) --sensitivity 1 --sample-rate 0.1 --steps 2 --relation replace'; do
    dpnoise profile $step --steps 300 $more --delta 1e-5 || echo $?
done
