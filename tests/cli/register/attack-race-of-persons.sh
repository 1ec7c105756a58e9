# Six processes register the same data at the same moment, where no ledger is yet, and tell persons apart by two columns: one is heard, the
# others are refused, and nobody amends what another has just registered. They wait long enough for a slow disk.
printf 'id,visit\n1,a\n1,b\n2,c\n' >v.csv
for i in 1 2 3 4 5 6; do
    person=id
    if [ $((i % 2)) = 0 ]; then person=visit; fi
    (dpnoise register v v.csv --person-id $person --epsilon 1 --ledger l.db --wait 300000 >/dev/null 2>"said$i" || echo "$?" >"code$i") &
done
wait
cat code* | sort | uniq -c | awk '{ print $1, $2 }'
cat said* | grep -v "there is a data set 'v' already\|'v' is registered already" || true
dpnoise budget history --ledger l.db | awk '{ print $3, $4 }'
