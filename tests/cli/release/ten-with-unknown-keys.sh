# Ten releases of (1, 1e-6) with unknown keys fit a budget of (10, 1e-5) as init makes it, whatever they ask, and leave the
# orders open; a further one of (2, 1e-6) does not, and the dry run says why.
# dear: ten releases three times; budget reaches the same code
awk 'BEGIN { print "region,age"; for (i = 0; i < 3000; i++) print "r" i % 3 "," i % 90 }' >people.csv
for ask in '--count' '--count --mean age:0:100' '--count --sum age:0:100 --quantile age:0.5:0:100'; do
    rm -f l.db*
    dpnoise budget init people --epsilon 10 --delta 1e-5 --ledger l.db >/dev/null
    for i in 1 2 3 4 5 6 7 8 9 10; do
        # shellcheck disable=SC2086 # several options
        dpnoise release people.csv $ask --by region --epsilon 1 --delta 1e-6 --fresh --ledger l.db --json >/dev/null || echo "release $i: exit code $?"
    done
    dpnoise budget show people --ledger l.db | sed -n '/set aside/p;/10 charges/s/.*, 10/10/p'
    # shellcheck disable=SC2086
    dpnoise release people.csv $ask --by region --epsilon 2 --delta 1e-6 --dry-run --ledger l.db | sed -n 's/^  cost  *\(it does not fit: [a-z ]*\) .*/\1/p'
done
