# A fit of registered data for an analyst: the same question as that of dpnoise fit, charged once, with the model as its answer.
{ echo 'id,ward,days,age,note'; seq 1 2000 | awk '{w = $1 % 2 ? "east" : "west"; a = $1 * 37 % 101; print $1 "," w "," 1 + 0.05 * a + ($1 % 2 ? 0 : 2) "," a ",x"}'; } >visits.csv
dpnoise register visits visits.csv --number days:0:10 --number age:0:100 --category ward=east,west --text note --person-id id \
    --epsilon 3000 --most-epsilon 1000 --log visits.log --ledger desk.db >/dev/null
for analyst in ada ben; do dpnoise budget init visits/$analyst --epsilon 2500 --of visits --ledger desk.db >/dev/null; done
ask() { dpnoise ask --ledger desk.db --analyst "${1:-ada}" 2>/dev/null; }
columns='"statistics": [{"kind": "mean", "column": "days"}, {"kind": "mean", "column": "age"}], "by": [{"column": "ward"}]'
q() { echo "{\"dataset\": \"visits\", \"fit\": $1, $columns, \"epsilon\": \"${2:-1000}\"}"; }

# With this epsilon there is hardly any noise: days = 1 + 0.05 age + 2 [ward = west].
q '{"kind": "linear", "method": "moments"}' >question
ask <question >first
near 0.01 model.coefficients.0.value=1 model.coefficients.1.value=0.05 model.coefficients.2.value=2 <first
near dataset=visits analyst=ada model.fit=linear model.method=moments model.private=true 'model.coefficients.2.name=ward=west' model.features.0.upper=100 unit=person \
    declaration.statistics.0.upper=10 declaration.person=id stored=false repeat=false charged.epsilon=1000 remaining.epsilon=1500 <first
grep -c 'visits.csv\|desk.db\|"rows"' first || true
# What it prints is a model that dpnoise predict reads.
printf 'ward,age\nwest,40\n' >new.csv
dpnoise predict first new.csv | awk '{print ($1 > 4.9 && $1 < 5.1) ? "near 5" : $0}'
# Asking again is free; others pay their quota and no more, and get the same model, as dpnoise fit does.
ask <question | near stored=true repeat=true charged.epsilon=0 remaining.epsilon=1500
ask ben <question >second
near stored=true repeat=false charged.epsilon=1000 remaining.epsilon=1500 <second
model() { sed 's/.*"model": //; s/, "epsilon": "1000", "delta": "0", "relation": "add-remove", "unit".*//' "$1"; }
test "$(model first)" = "$(model second)" && echo "the same model"
dpnoise fit linear visits --target days --features age,ward --method moments --epsilon 1000 --yes-epsilon --ledger desk.db --json >own
near stored=true <own
grep -o '"value": [^,]*' own | head -n 3 >values && grep -o '"value": [^,]*' first | cmp - values && echo "the same numbers"
dpnoise budget show visits --ledger desk.db --json | near charges=1
# Another setting is another question, and the order of members is not.
echo "{\"epsilon\": \"1000\", $columns, \"dataset\": \"visits\", \"fit\": {\"method\": \"moments\", \"kind\": \"linear\"}}" | ask | near stored=true charged.epsilon=0
q '{"kind": "linear", "method": "moments", "l2": 0.5}' | ask | near stored=false charged.epsilon=1000 remaining.epsilon=500
