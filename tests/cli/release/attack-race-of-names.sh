# Eight processes want a budget of their own for the same data at the same moment, by releases and by registrations: one gets it, and
# whoever is refused has charged nothing. They wait long enough for a slow disk.
printf 'id\n1\n2\n' >v.csv
dpnoise budget init other --epsilon 1 --ledger l.db >/dev/null
for i in 1 2 3 4; do
    (dpnoise release v.csv --dataset "a$i" --new-budget --count --epsilon 1 --ledger l.db --wait 300000 >"answer$i" 2>"said$i" || echo "$?" >"code$i") &
    (dpnoise register "b$i" v.csv --number id:0:9 --epsilon 1 --ledger l.db --wait 300000 >/dev/null 2>"tell$i" || echo "$?" >"exit$i") &
done
wait
dpnoise budget history --ledger l.db | awk '$3 == "source" || $3 == "registration"' | wc -l
cat code* exit* | sort | uniq -c | awk '{ print $1, $2 }'
dpnoise budget history --ledger l.db | awk '$3 == "source" || $3 == "registration" || $3 == "charge" { print $4 }' | sort -u | wc -l
cat said* tell* | grep -vc "these data \(have the budget of\|are registered as\) '[ab][1-4]'" || true
dpnoise budget verify --ledger l.db >/dev/null
