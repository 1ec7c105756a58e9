# What a budget allows can be spent to the last digit: by one charge, by a plan or an answer that was calibrated to it, and by halves.
fresh() { rm -f l.db*; dpnoise budget init people --epsilon 1 --delta 1e-6 --relation replace --ledger l.db >/dev/null; }
charge() { dpnoise budget charge people --ledger l.db "$@" | unwrapped | sed -n '/spent/p;/remaining/p;/charged/p' || echo "exit code $?"; }
fresh
dpnoise budget show people --ledger l.db | sed '/head/d'
charge --epsilon 1 --delta 1e-6
dpnoise budget charge people --epsilon 1e-300 --ledger l.db || echo "exit code $?"
fresh
charge --epsilon 0.5 --delta 5e-7
charge --epsilon 0.5 --delta 5e-7

dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 1 --relation replace --json >all.json
for how in '' '--epsilon 1 --delta 1e-6' '--delta 1e-6'; do
    fresh
    # shellcheck disable=SC2086 # options or nothing
    charge --plan all.json $how
done
fresh
dpnoise budget charge people --plan all.json --epsilon 0.999 --delta 1e-6 --ledger l.db || echo "exit code $?"

for family in gaussian laplace osgt truncated-laplace; do
    fresh
    echo 7 | dpnoise add --epsilon 1 --delta 1e-6 --sensitivity 1 --family "$family" --dataset people --ledger l.db >/dev/null
    dpnoise budget show people --ledger l.db | sed -n '/spent/p'
    fresh
    for i in 1 2; do
        echo 7 | dpnoise add --epsilon 0.5 --delta 5e-7 --sensitivity 1 --family "$family" --dataset people --ledger l.db >/dev/null
    done
done

# Only the first charge may take of what is set aside: after an answer the choice could depend on it.
fresh
charge --epsilon 0.1
dpnoise budget charge people --epsilon 0.1 --delta 6e-7 --ledger l.db || echo "exit code $?"
# Who wants plain sums only says so at the start.
rm -f l.db*
dpnoise budget init people --epsilon 1 --delta 1e-6 --delta-renyi 0 --ledger l.db | unwrapped | sed -n '/remaining/p'
charge --epsilon 0.1
charge --epsilon 0.9 --delta 1e-6
