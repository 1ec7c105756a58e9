# Attack: a service with little memory gave its answer and never ended, because a library waited at exit for threads that could not start.
# Too little to start at all is an end too.
printf 'id,x\n1,1\n2,2\n' >t.csv
echo '{"dataset": "t", "statistics": [{"kind": "count"}], "epsilon": "1"}' >question
dpnoise register t t.csv --number x:0:9 --person-id id --epsilon 9 --log t.log --ledger l.db >/dev/null
for most in 80000 100000 120000 150000 180000 210000 300000; do
    for limit in -v -d; do
        code=0
        (
            ulimit $limit $most
            exec timeout -k 1 20 dpnoise ask --ledger l.db --analyst ada --shared <question >answer 2>/dev/null
        ) 2>/dev/null || code=$?
        if [ $code -ge 124 ] && [ $code -ne 127 ]; then echo "ulimit $limit $most: exit code $code"; fi
    done
done
echo "all ended"
