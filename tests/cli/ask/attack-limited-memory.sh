# Attack: a service with little memory gave its answer and never ended, because a library waited at exit for threads that could not start.
# Too little to start at all is an end too.
limit=-v
if ! (ulimit $limit 4000000 && dpnoise --version || exit 1) >/dev/null 2>&1; then
    echo "skip: this build needs more room than any limit here" >&2
    exit 77
fi
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
        if [ $code = 124 ] || [ $code = 137 ]; then echo "ulimit $limit $most: exit code $code"; fi
    done
done
echo "all ended"
