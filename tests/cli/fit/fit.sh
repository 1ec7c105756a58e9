# Coefficients in the data's units, charged before a row is read and kept: with this epsilon the noise is hardly any.
awk 'BEGIN { print "hours,income,region"; for (i = 0; i < 2000; i++) { h = i % 80; print h "," 1000 + 900 * h + (i % 3) * 5000 "," (i % 3 == 0 ? "n" : i % 3 == 1 ? "s" : "w") } }' >people.csv
dpnoise budget init people --epsilon 5e6 --ledger desk.db >/dev/null
fit() { dpnoise fit linear people.csv --ledger desk.db --method moments --target income:0:100000 --features hours:0:80,region --levels region=n,s,w --yes-epsilon --json "$@"; }
fit --epsilon 1e6 --dry-run | near private=true epsilon=1000000 delta=0 releases.0.what=moments releases.0.times=1 stored=false ledger.remaining.epsilon=5000000
fit --epsilon 1e6 --dry-run --rows 2000 | near forecast.rows=2000 stored=false ledger.remaining.epsilon=5000000
fit --epsilon 1e6 >model.json
near 1e-3 coefficients.0.value=1000 coefficients.1.value=900 coefficients.2.value=5000 coefficients.3.value=10000 <model.json
near coefficients.3.name=region=w interval=noise method=moments private=true stored=false ledger.remaining.epsilon=4000000 <model.json
# The same again is free, and the data are not read.
mv people.csv gone.csv
fit --epsilon 1e6 >again.json
near stored=true ledger.remaining.epsilon=4000000 <again.json
mv gone.csv people.csv
# Another method, another feature or another epsilon is another question.
fit --epsilon 1e6 --raw | near stored=false ledger.remaining.epsilon=3000000
fit --epsilon 3000001 || echo "exit code $?"
# Two rows of three that can be used, and one that cannot be split: the fit goes on.
printf 'x,y\n0,1\n0.5,2\n1,3\n?,1\n1,2,3\n' >line.csv
dpnoise fit linear line.csv --target y:-4:4 --features x:-1:1 --epsilon 1e9 --yes-epsilon --json | near 1e-3 coefficients.0.value=1 coefficients.1.value=2
# Predictions, clamped to the bounds of target and features; an empty line for what is no number.
dpnoise predict model.json people.csv | head -n 2 | awk '{ printf "%.0f\n", $1 / 1000 }'
printf 'hours,region\n200,w\nx,n\n0,n\n' >new.csv
dpnoise predict model.json new.csv | awk '{ printf $1 == "" ? "-\n" : "%.0f\n", $1 / 1000 }'
# Registered data need no bounds and levels, and cannot be fitted without a guarantee.
dpnoise register staff people.csv --number income:0:100000 --number hours:0:80 --category region=n,s,w --epsilon 2e6 --most-epsilon 1e6 --ledger staff.db >/dev/null
dpnoise fit linear staff --target income --features hours,region --epsilon 1e6 --yes-epsilon --ledger staff.db --json |
    near 1e-3 coefficients.1.value=900 coefficients.3.value=10000 ledger.remaining.epsilon=1000000
dpnoise fit linear staff --target income --features hours --method non-private --ledger staff.db || echo "exit code $?"
