# What has no guarantee is not for registered data, by whatever path they are reached, in a file or a database; a fit with one is, by their name.
awk 'BEGIN { print "x,y"; for (i = 0; i < 300; i++) print i % 13 / 13 "," i % 13 / 26 + i % 7 / 70 }' >people.csv
/usr/bin/python3 -c '
import csv, sqlite3
base = sqlite3.connect("people.db")
base.execute("CREATE TABLE t (x, y)")
base.executemany("INSERT INTO t VALUES (?, ?)", list(csv.reader(open("people.csv")))[1:])
base.commit()'
export DPNOISE_LEDGER="$PWD/desk.db"
dpnoise register people people.csv --number x:0:1 --number y:0:1 --epsilon 3 >/dev/null
dpnoise register base people.db --number x:0:1 --number y:0:1 --epsilon 3 >/dev/null
ln people.csv hard.csv
ln -s people.csv soft.csv
for data in people.csv ./people.csv soft.csv hard.csv people.db; do
    dpnoise fit linear $data --target y:0:1 --features x:0:1 --method non-private 2>&1 || echo "exit code $?"
    dpnoise fit linear $data --target y:0:1 --features x:0:1 --method cd --epsilon 1 --delta 1e-6 --experiment 2>&1 || echo "exit code $?"
done
dpnoise fit linear - --target y:0:1 --features x:0:1 --method non-private <people.csv 2>&1 || echo "exit code $?"
# Rows of a database are those of the file: the same noise-free fit, and a private one that is charged and kept.
cp people.csv copy.csv
cp people.db copy.db
for data in copy.csv copy.db; do dpnoise fit linear $data --target y:0:1 --features x:0:1 --method non-private --json | near 1e-5 coefficients.1.value=0.5010088; done
for data in people base; do
    dpnoise fit linear $data --target y --features x --epsilon 1 --json >$data.json
    dpnoise fit linear $data --target y --features x --epsilon 1 --json >again.json
    python3 -c '
import json, sys
one, two = (json.load(open(name)) for name in sys.argv[1:])
print(two["stored"], one["coefficients"] == two["coefficients"])' $data.json again.json
    dpnoise budget show $data --json | near spent.epsilon=1
done
# Nor is it whatever ledger is said, in whatever directory: the one beside the data is asked too, and one that cannot be asked might know them. --tune takes none of them for public.
unset DPNOISE_LEDGER
mkdir vault elsewhere
cp people.csv vault/people.csv
dpnoise register people vault/people.csv --number x:0:1 --number y:0:1 --epsilon 3 --ledger vault/dpnoise-ledger.db >/dev/null
ln -s ../vault/people.csv elsewhere/link.csv
fit() { dpnoise fit linear "$@" --target y:0:1 --features x:0:1 2>&1 || echo "exit code $?"; }
for data in vault/people.csv elsewhere/link.csv; do
    fit $data --method non-private --ledger other.db
    fit $data --method cd --epsilon 1 --delta 1e-6 --experiment
    fit copy.csv --ledger other.db --new-budget --epsilon 1 --tune $data
done
echo 'not a ledger' >elsewhere/dpnoise-ledger.db
cp people.csv elsewhere/copy.csv
fit elsewhere/copy.csv --method non-private
ls other.db* 2>/dev/null || echo 'nothing was written'
