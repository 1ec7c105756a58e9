# No output takes the place of a ledger, of what SQLite keeps beside it, of its key or of the data, by any of their names: a
# report over LEDGER-wal erased charges that had been acknowledged.
printf 'region,income\nnorth,31000\n' >people.csv
dpnoise budget init people --epsilon 9 --ledger l.db --wal >/dev/null
dpnoise budget init other --epsilon 9 --ledger other.db >/dev/null
ln -s l.db soft.db
ln people.csv hard.csv
ln l.db.key hard
mkdir d
ln -s .. d/up
dpnoise release people.csv --count --epsilon 1 --ledger l.db >/dev/null
cp other.db other-before
ask() {
    dpnoise release people.csv --epsilon 1 --count --fresh "$@" >out 2>&1 && echo "written: $*"
    sed "s|'[^']*'|FILE|" out >>said
}
before=$(dpnoise budget verify --ledger l.db --json)
for option in --report --save-spec; do
    for end in '' -wal -shm -journal .key; do
        ask --ledger l.db $option l.db$end
        ask --ledger soft.db --ledger-key l.db.key $option "$PWD/d/up/l.db$end"
        [ "$end" = .key ] || ask --ledger d/up/l.db $option soft.db$end # which has no key of that name
        ask --ledger l.db $option other.db$end
    done
    ask --ledger l.db $option hard.csv
    ask --ledger l.db $option hard
done
LC_ALL=C sort said | uniq -c | sed 's/^ *//'
ln other.db x.svg
dpnoise law 'gaussian(sigma=1)' --plot x.svg 2>&1 || echo "exit code $?"
dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 1 --epsilon 1 --export other.db 2>&1 || echo "exit code $?"
cmp other.db other-before
cmp people.csv hard.csv
[ "$(dpnoise budget verify --ledger l.db --json)" = "$before" ]
rm -r people.csv hard.csv hard soft.db d out said x.svg l.db* other*
