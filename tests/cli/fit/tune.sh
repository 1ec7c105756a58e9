# A setting by public rows: it is noted, and asking again is free, because the choice is the same.
awk 'BEGIN { print "x,y"; for (i = 0; i < 400; i++) print i % 17 / 17 "," i % 17 / 34 + i % 5 / 50 }' >public.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 300; i++) print i % 13 / 13 "," i % 13 / 26 + i % 7 / 70 }' >private.csv
fit() { dpnoise fit linear "$@" --target y:0:1 --features x:0:1; }
fit private.csv --tune public.csv --method moments --epsilon 1 --new-budget --json >one.json
fit private.csv --tune public.csv --method moments --epsilon 1 --json >two.json
python3 -c '
import json
one, two = (json.load(open(name)) for name in ("one.json", "two.json"))
print(sum("the public rows chose" in note for note in one["notes"]), two["stored"], one["coefficients"] == two["coefficients"])'
# Privately.
rm -f dpnoise-ledger.db*
fit private.csv --tune private --epsilon 1 --dry-run
fit private.csv --tune private --epsilon 1 --new-budget --json >three.json
python3 -c 'import json; three = json.load(open("three.json")); print(three["method"], list(three["releases"][0]["detail"]["chosen"])[:1])'
for bad in 'private --delta 1e-6' ./private.csv no-such.csv 'private --method non-private'; do
    fit private.csv --tune $bad $(echo "$bad" | grep -q non-private || echo --epsilon 1) 2>&1 || echo "exit code $?"
done
# Rows are public only if they are in a file that is not the data, under whatever name, nor data of the ledger.
python3 -c '
import csv, sqlite3
rows = list(csv.reader(open("private.csv")))[1:]
base = sqlite3.connect("private.db")
base.execute("CREATE TABLE t (x, y)")
base.executemany("INSERT INTO t VALUES (?, ?)", rows)
base.commit()'
ln private.csv other-name.csv
for bad in sqlite:private.db private.db - other-name.csv postgresql://somewhere/db; do
    fit private.csv --tune $bad --epsilon 1 --dry-run <private.csv 2>&1 || echo "exit code $?"
done
fit - --dataset unknown --ledger other.db --new-budget --tune private.csv --epsilon 1 <private.csv 2>&1 || echo "exit code $?"
fit public.csv --new-budget --tune private.csv --epsilon 1 2>&1 || echo "exit code $?"
# A pure method with a delta that it does not need charges none, though it makes several releases; and a picture that cannot be written is refused before anything is charged.
rm -f dpnoise-ledger.db*
dpnoise budget init private --epsilon 2 --delta 1e-6 --ledger dpnoise-ledger.db >/dev/null
fit private.csv --method two-step --epsilon 1 --delta 1e-6 --plot no/such/place.svg 2>&1 || echo "exit code $?"
dpnoise budget show private --ledger dpnoise-ledger.db --json | near remaining.epsilon=2
fit private.csv --method two-step --epsilon 1 --delta 1e-6 >/dev/null
dpnoise budget show private --ledger dpnoise-ledger.db --json | near spent.epsilon=1 spent.delta=0
fit private.csv --method moments --clip 1 --epsilon 1 || echo "exit code $?"
