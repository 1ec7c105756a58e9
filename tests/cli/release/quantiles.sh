# Quantiles with a step have an interval in the unit of the column, in every format. With this epsilon the noise on counts is 0.
printf 'region,age,income\nnorth,30,1000\nsouth,40,3000\nnorth,50.5,2000\nsouth,60,9000\n' >people.csv
ask() { dpnoise release people.csv "$@" --epsilon 1000 --yes-epsilon --ledger l.db || echo "exit code $?"; }
plain() { sed 's/head [0-9]*:[0-9a-f]*/head HEAD/; s/answered .* UTC/answered TIME/'; }
set -- --quantile age:0.3:0:100:1 --quantile age:0.6:0:100:1
ask "$@" | plain
ask "$@" --csv 2>/dev/null | tr -d '\r'
rm l.db*
ask "$@" --by region --levels region=north,south --json | near rows.0.value=30 rows.0.interval95.0=30 rows.0.interval95.1=30 \
    rows.0.rank95=null rows.0.interval=conservative rows.1.value=51 rows.2.value=40 rows.3.value=60 sensitivity.cells.0.name='tree(age)[level 1 of 2]' \
    sensitivity.cells.1.sensitivity=1
rm l.db*
ask --quantile income:0.5:0:5000:0.5 --report r.html >/dev/null
grep -c 'candidates in steps of 0.5' r.html
dpnoise release people.csv "$@" --quantile income:0.5:0:9000 --epsilon 1 --ledger m.db --dry-run | sed '/guarantee/,$d'
for bad in age:0.5:0:100:0.3 age:0.5:0:100:0 age:0.5:0:1:1e-9 age:0.5:0:1:x; do ask --quantile $bad 2>&1; done
# Bounds may come from the registration, the step from the question.
dpnoise register people people.csv --number age:0:100 --epsilon 5000 --most-epsilon 1000 --ledger r.db >/dev/null
dpnoise release people --quantile age:0.6:::1 --epsilon 1000 --yes-epsilon --ledger r.db --csv 2>/dev/null | tr -d '\r' | tail -n 1
dpnoise release people.csv --quantile age:0.6:::1 --epsilon 1 --ledger n.db 2>&1 || echo "exit code $?"
# --median is the quantile of 0.5, in all its forms: the same declaration.
printf '"a:b","c""d"\n1,2\n' >odd.csv
same() { # --median's text, and --quantile's
    dpnoise release odd.csv --median "$1" --epsilon 1 --dry-run --save-spec median.json >/dev/null
    dpnoise release odd.csv --quantile "$2" --epsilon 1 --dry-run --save-spec quantile.json >/dev/null
    cmp median.json quantile.json && echo same
    rm median.json quantile.json
}
same '"a:b":0:100:1' '"a:b":0.5:0:100:1'
same '"a:b":0,50,100' '"a:b":0.5:0,50,100'
same '"c""d":0:100' '"c""d":0.5:0:100'
dpnoise release odd.csv --median '' --epsilon 1 2>&1 || echo "exit code $?"
dpnoise release odd.csv --median '"a:b' --epsilon 1 2>&1 || echo "exit code $?"
