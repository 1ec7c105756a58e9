# No fit costs anything that is refused, has no guarantee or goes beyond what is registered; what fails after the charge is one sentence.
{ echo 'id,ward,days,age'; seq 1 50 | awk '{print $1 ",east," $1 % 10 "," $1}'; } >visits.csv
dpnoise register visits visits.csv --number days:0:10 --number age:0:100 --category ward=east,west --person-id id --epsilon 10 \
    --most-epsilon 2 --log visits.log --ledger desk.db >/dev/null
ask() { dpnoise ask --ledger desk.db --analyst ada --shared 2>/dev/null || echo "exit code $?"; }
columns='"statistics": [{"kind": "mean", "column": "days"}, {"kind": "mean", "column": "age"}]'
q() { echo "{\"dataset\": \"visits\", \"fit\": $1, ${2:-$columns}, \"epsilon\": \"${3:-1}\"}" | ask; }
echo "no fit"
q '"linear"'
q '{}'
q '{"kind": "cubic"}'
q '{"kind": "linear", "kind": "logistic"}'
q '{"kind": "linear", "k\u0069nd": "logistic"}'
q '{"kind": "linear", "method": "magic"}'
q '{"kind": "linear", "method": 1}'
q '{"kind": "linear", "file": "/etc/passwd"}'
q '{"kind": "linear", "l2": 0}'
q '{"kind": "linear", "l2": "0.1"}'
q '{"kind": "linear", "l2": 1e999}'
q '{"kind": "linear", "raw": 1}'
q '{"kind": "linear", "method": "cd", "passes": 1.5}'
q '{"kind": "linear", "method": "cd", "start": [1, "x"]}'
q '{"kind": "linear", "method": "cd", "accounting": "none"}'
q '{"kind": "linear", "method": "moments", "clip": 1}'
q '{"kind": "linear"}, "fit": {"kind": "linear"}'
echo "no guarantee"
q '{"kind": "linear", "method": "non-private"}'
echo "wider than registered"
q '{"kind": "linear"}' "$columns" 3
q '{"kind": "linear"}' '"statistics": [{"kind": "mean", "column": "days", "lower": 0, "upper": 11}, {"kind": "mean", "column": "age"}]'
q '{"kind": "linear"}' '"statistics": [{"kind": "mean", "column": "days"}, {"kind": "mean", "column": "id"}]'
q '{"kind": "linear"}' '"statistics": [{"kind": "mean", "column": "days"}]'
q '{"kind": "linear"}' '"statistics": [{"kind": "count"}, {"kind": "mean", "column": "age"}]'
dpnoise budget show visits --ledger desk.db --json | near charges=0
echo "data that cannot be read"
mv visits.csv away
q '{"kind": "linear", "method": "moments"}'
dpnoise budget show visits --ledger desk.db --json | near charges=0
# A file that ends too early fails while rows are read: the analyst learns that the charge stands, the curator why.
seq 1 40000 | awk 'BEGIN {print "id,days,age"} {print $1 "," $1 % 10 "," $1 % 97}' | gzip >whole.csv.gz
dpnoise register long whole.csv.gz --number days:0:10 --number age:0:100 --person-id id --epsilon 10 --log long.log --ledger desk.db >/dev/null
head -c 60000 whole.csv.gz >short && cat short >whole.csv.gz
echo "{\"dataset\": \"long\", \"fit\": {\"kind\": \"linear\", \"method\": \"moments\"}, $columns, \"epsilon\": 1}" | ask
dpnoise budget show long --ledger desk.db --json | near charges=1
grep -c 'entry [1-9]' long.log
