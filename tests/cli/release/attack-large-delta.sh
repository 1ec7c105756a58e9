# A first release from nothing with a delta near 1 would have hardly any noise, and a budget to match: that asks for a word.
printf 'x\n1\n' >t.csv
try() { dpnoise release t.csv --count --epsilon 1 "$@" 2>&1 || echo "exit code $?"; }
for delta in 0.9 0.0011 0.00100000000000000000001; do try --delta $delta; done
echo '{"statistics": [{"kind": "count"}], "epsilon": "1", "delta": "0.5"}' >spec.json
dpnoise release t.csv --spec spec.json 2>&1 || echo "exit code $?"
ls
try --delta 0.9 --dry-run | grep -c 'no row was read'
try --delta 0.9 --yes-delta --json | near delta=0.9
rm dpnoise-ledger.db*
try --delta 0.001 --json | near delta=0.001
