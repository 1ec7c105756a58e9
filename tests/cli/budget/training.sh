# A training run is one charge, at the orders of the budget: 1000 log E (1 - q + q r)^a/(a - 1), by a trapezoid sum over the noise.
dpnoise budget init people --epsilon 5 --delta 1e-5 --orders 4,7 --weights 0.5,0.5 --ledger l.db >/dev/null
run() { dpnoise budget charge people --law 'gaussian(sigma=1.1)' --sensitivity 1 --sample-rate 0.01 --steps 1000 --ledger l.db "$@"; }
run --dry-run --json | near charge.epsilon=null charges=0 dry_run=true
run --json | near 1e-11 charge.epsilon=null charge.delta=0 charges=1 charge.divergence.0=0.26671831462706
# What it cost is not less than the exact profile says.
dpnoise budget show people --ledger l.db --json | sed -n 's/.*"spent": {"epsilon": "\([^"]*\)".*/\1/p' >spent
dpnoise profile --law 'gaussian(sigma=1.1)' --sensitivity 1 --sample-rate 0.01 --steps 1000 --delta 1e-5 --json |
    sed -n 's/.*"epsilon_lower": \([^,}]*\).*/\1/p' >exact
awk 'NR == FNR { spent = $1; next } { print (spent >= $1 && spent < 2 * $1) ? "at least the profile" : spent " " $1 }' spent exact
dpnoise budget history people --ledger l.db | sed -n 's/.*charge //p' | sed 's/  by .*//'
# Two phases are two charges together; what does not fit is told, again and again, and with --dry-run.
dpnoise budget charge people --law 'gaussian(sigma=2)' --sensitivity 1 --sample-rate 0.02 --steps 100 \
    --law 'gaussian(sigma=3)' --sensitivity 1 --sample-rate 0.01 --steps 50 --ledger l.db >/dev/null
for again in 1 2; do
    dpnoise budget charge people --law 'gaussian(sigma=0.5)' --sensitivity 1 --sample-rate 0.1 --steps 1e6 --ledger l.db 2>&1 |
        grep -c 'exceeds what is left of epsilon: .* of 5 would be spent; .*, nothing was charged'
done
dpnoise budget charge people --law 'gaussian(sigma=0.5)' --sensitivity 1 --sample-rate 0.1 --steps 1e6 --dry-run --ledger l.db 2>/dev/null || echo $?
dpnoise budget history people --ledger l.db | grep -c ' charge '
# What makes no sense.
dpnoise budget charge people --sample-rate 0.1 --law 'gaussian(sigma=1)' --ledger l.db || echo $?
dpnoise budget charge people --law 'gaussian(sigma=1)' --sensitivity 1 --ledger l.db || echo $?
dpnoise budget charge people --law 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 2 --ledger l.db || echo $?
dpnoise budget charge people --law 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 0.1 --epsilon 1 --ledger l.db || echo $?
dpnoise budget charge people --law 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 0.1 --ledger l.db || echo $?
dpnoise budget history people --ledger l.db | grep -c ' charge '
