# Persons count once, however many rows they have; keys of one person are not shown, and nobody declared them.
{
    echo 'id,city,visits'
    for i in $(seq 40); do
        echo "$i,upper,1"
        echo "$i,lower,3"
        echo "$i,lower,3"
    done
    echo '41,secret,9'
    for i in $(seq 50); do echo "42,alone,9"; done
} >people.csv
ask() { dpnoise release people.csv "$@" --epsilon 1000 --yes-epsilon --ledger l.db --csv 2>notes | tr -d '\r' && rm l.db*; }
ask --count --person-id id
ask --count --person-id id --max-rows 2 --max-groups 2 --by city --levels city=upper,lower,alone
ask --count --person-id id --max-rows 2 --max-groups 2 --by city --delta 1e-6
ask --count --by city
sed -n '/^  note/,$p' notes | sed 1q
dpnoise release people.csv --count --by city --delta 0 --epsilon 1 || echo $?
dpnoise release people.csv --count --person-id id --epsilon 1 --json | near unit=person sensitivity.moved_groups=1

# The words say which rows the intervals are about, and whether under replace the number of rows is taken for known.
words() { dpnoise release people.csv --epsilon 1000 --yes-epsilon --ledger w.db "$@" | sed -n '/^no key/p; /^  guarantee/,/^  \(ledger\|cost\)/p' | sed '/^  \(guarantee\|ledger\|cost\|noise\)/d' && rm -f w.db*; }
words --count --person-id id --max-rows 2
words --count --person-id id --max-groups 2 --by city --levels city=upper,lower
words --count --relation replace
words --count --relation replace --missing value:0
words --count --relation replace --missing value:0 --dry-run
words --count --person-id id --by city --where id=41
words --count --by city --where id=41 --delta 1e-6 --dry-run
words --count --by city --where id=41
