# What is printed, to the letter. With this epsilon the noise on counts is 0.
printf 'region,age,income\nnorth,30,1000\nsouth,40,3000\nnorth,50,2000\nsouth,60,9000\n' >people.csv
ask() { dpnoise release people.csv "$@" --epsilon 1000 --yes-epsilon --ledger l.db || echo "exit code $?"; }
plain() { sed 's/head [0-9]*:[0-9a-f]*/head HEAD/; s/answered .* UTC/answered TIME/'; }
ask --count --histogram age:0,45,99 --by region --levels region=north,south,west | plain
rm l.db*
ask --histogram age:0,40,50,inf --where 'income<9000' --where 'region!=west' | plain
rm l.db*
ask --count --by region --levels region=north,south --csv 2>/dev/null | tr -d '\r'
rm l.db*
ask --count --mean income:0:5000 --by region --levels region=north,south --json >first
near 1e-2 rows.0.group.region=north rows.0.statistic=count rows.0.value=2 rows.0.rank95=null rows.0.interval=exact rows.1.statistic='mean(income)' \
    rows.1.value=1500 rows.3.value=4000 epsilon=1000 delta=0 relation=add-remove unit=row stored=false \
    ledger.dataset=people ledger.file=l.db declaration.epsilon=1000 sensitivity.moved_groups=1 sensitivity.cells.0.sensitivity=1 \
    sensitivity.cells.1.sensitivity=2500 <first
/usr/bin/python3 -c 'import json
answer = json.load(open("first"))
assert answer["interval95"] == [row["interval95"] for row in answer["rows"]] and len(answer["rows"]) == 4
assert all(low <= row["value"] <= high for row in answer["rows"] for low, high in [row["interval95"]])'
rm l.db*
ask --quantile age:0.5:0:100 --csv 2>/dev/null | tr -d '\r' | sed 1q
ask --quantile age:0.5:0:100 --json | near rows.0.interval95.0=null rows.0.statistic='quantile(age,0.5)'
