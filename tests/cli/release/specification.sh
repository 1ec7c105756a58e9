# A declaration is saved and read back: the same question, so the stored answer. Options override it.
printf 'id,region,city,income\n1,north,a,31000\n2,south,b,42000\n' >people.csv
dpnoise release people.csv --count --mean income:0:200000.0 --by region --levels region=north,south --where 'income>=0' --epsilon 1 \
    --save-spec spec.json --json | near stored=false
cat spec.json
dpnoise release people.csv --spec spec.json --json | near stored=true
dpnoise release people.csv --spec spec.json --save-spec again.json --dry-run >/dev/null
cmp spec.json again.json
saved() { dpnoise release people.csv --spec spec.json --dry-run --save-spec new.json "$@" >/dev/null && cat new.json; }
saved --count
saved --levels region=south
saved --by region,city --epsilon 0.5
saved --where 'region=north'
saved --person-id id --max-rows 2 --relation replace --delta 1e-9 --missing skip --nonnegative
# It is written only if the question makes sense, and nothing else is.
dpnoise release people.csv --spec spec.json --save-spec bad.json --epsilon 0 || echo $?
dpnoise release people.csv --spec spec.json --save-spec bad.json --mean wealth:0:1 || echo $?
dpnoise release people.csv --count --histogram income:-1,2,inf --consistent --epsilon 1 --save-spec bad.json || echo $?
# Rows that cannot be used: what older files say is refused with what to say now.
saved --missing value:0.0 --na '?,NA' --count-left-out
dpnoise release people.csv --spec spec.json --missing refuse || echo $?
sed 's/"epsilon"/"missing": "refuse", "epsilon"/' spec.json >old.json
dpnoise release people.csv --spec old.json || echo $?
dpnoise release people.csv --spec spec.json --missing value:x || echo $?
dpnoise release people.csv --spec spec.json --missing none || echo $?
rm old.json
ls
