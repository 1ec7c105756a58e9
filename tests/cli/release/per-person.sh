# All rows of a person count, and the sum or mean of them is clamped. With this epsilon there is next to no noise.
printf 'id,city,x\na,north,10.25\na,north,20\na,south,500\nb,north,-5\nb,north,3\nc,south,1\n' >visits.csv
set -- --count --sum x:0:100 --mean x:0:100 --by city --levels city=north,south --person-id id --max-groups 2 --epsilon 1000000 --yes-epsilon
ask() { dpnoise release visits.csv "$@" --ledger l.db --json && rm -f l.db*; }
ask "$@" --per-person sum | near 1e-3 rows.0.statistic='count(persons)' rows.0.value=2 rows.1.statistic='sum(x per person)' \
    rows.1.value=30.25 rows.2.value=15.125 rows.3.value=2 rows.4.value=101 rows.5.value=50.5 sensitivity.cells.0.name=persons \
    declaration.per_person=sum sensitivity.moved_groups=2
ask "$@" --per-person mean | near 1e-3 rows.0.value=2 rows.1.statistic='sum(mean x per person)' rows.1.value=15.125 rows.4.value=101
dpnoise release visits.csv "$@" --per-person sum --ledger l.db | unwrapped | grep '^  persons'
for wrong in '--per-person sum' '--per-person all --person-id id' '--per-person sum --person-id id --max-rows 3' \
    '--per-person mean --person-id id --quantile x:0.5:0:10:1'; do
    dpnoise release visits.csv --count $wrong --epsilon 1 --ledger w.db 2>&1 || echo "exit code $?"
done
