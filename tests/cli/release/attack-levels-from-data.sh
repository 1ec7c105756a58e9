# Levels and specifications are public and are printed before anything is charged: they are never read from the data, by any
# of their names, nor from a ledger or its key.
printf 'region,income\nsecret,31000\n' >people.csv
ln -s people.csv soft
ln people.csv hard
mkdir d
ln -s .. d/up
dpnoise budget init people --epsilon 1 --ledger l.db >/dev/null
ask() {
    dpnoise release "${DATA-people.csv}" --count --by region --epsilon 1 --dry-run --ledger l.db "$@" >out 2>&1 || echo "exit code $?"
    cat out
}
ask --levels region=@people.csv --json
ask --levels region=@soft
ask --levels region=@hard
DATA=soft ask --levels region=@d/up/people.csv
DATA=sqlite:people.csv ask --levels region=@people.csv
ask --levels region=@l.db
ask --levels region=@l.db.key
ask --spec hard
DATA=- ask --dataset people --levels region=@/dev/fd/0 <people.csv
grep -l secret out || echo not told
rm -r people.csv soft hard d l.db l.db.key out
