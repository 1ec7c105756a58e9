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
ask() { dpnoise release people.csv "$@" --epsilon 1000 --ledger l.db --csv 2>notes | tr -d '\r' && rm l.db*; }
ask --count --person-id id
ask --count --person-id id --max-rows 2 --max-groups 2 --by city --levels city=upper,lower,alone
ask --count --person-id id --max-rows 2 --max-groups 2 --by city --delta 1e-6
ask --count --by city
sed -n 1p notes
dpnoise release people.csv --count --by city --delta 0 --epsilon 1 || echo $?
dpnoise release people.csv --count --person-id id --epsilon 1 --json | near unit=person sensitivity.moved_groups=1
