# Attack: more persons or keys than there is memory for ended a release after its charge, which told of their number. Memory is had before
# the charge, and what is beyond it goes to the disk, with the same answer.
awk 'BEGIN { print "id,town"; for (i = 0; i < 120000; i++) print "person " i * 7919 % 120000 ",town " (i % 4 ? i : 1000 + i % 300) }' >visits.csv
release() { dpnoise release visits.csv --count --person-id id --epsilon 1000 --yes-epsilon --json "$@"; }
# With this epsilon the noise is 0.
release --memory 16M | near rows.0.value=120000
rm -f dpnoise-ledger.db*

echo "by towns, of which nobody said which there are"
dpnoise release visits.csv --count --by town --epsilon 30 --yes-epsilon --delta 1e-9 --memory 16M --csv 2>/dev/null |
    tr -d '\r' >towns
awk -F, 'NR > 1 && ($1 != "town " 1000 + 4 * i++ || $2 < 397 || $2 > 403)' towns | head -n 3
wc -l <towns
rm -f dpnoise-ledger.db*

echo "refused before anything is charged"
release --memory 1M || echo "exit code $?"
release --memory 1000000G || echo "exit code $?"
release --memory 16X || echo "exit code $?"
release --max-rows 1000000 --memory 16M || echo "exit code $?"
if [ -e dpnoise-ledger.db ]; then echo "a ledger was made for them"; fi

echo "a disk that is full: one sentence, one exit code, no signal, and the reason in the log"
rm -f dpnoise-ledger.db*
dpnoise register visits visits.csv --person-id id --epsilon 3 --memory 16M --log visits.log >/dev/null
(
    ulimit -f 1000
    dpnoise release visits --count --epsilon 1
) || echo "exit code $?"
dpnoise budget show visits --json | near charges=1
sed 's/.*: the disk/the disk/' visits.log
dpnoise release visits --count --epsilon 1 --memory 32M || echo "exit code $?"
ls
