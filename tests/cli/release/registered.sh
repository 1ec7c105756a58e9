# A registered data set is asked for by its name, without bounds and levels, from any directory; a question can narrow what is
# registered and never widen it.
printf 'id,region,income,town\n1,north,31000,a\n2,south,42000,b\n3,north,7,a\n' >people.csv
dpnoise register people people.csv --number income:0:200000 --category region=north,south --category town --where-columns region \
    --person-id id --max-rows 3 --population 100000 --epsilon 5000 --most-epsilon 1000 --delta 1e-6 >/dev/null
ask() { dpnoise release "$@" 2>&1 || echo "exit code $?"; }
counts() { dpnoise release people --count --by region --epsilon 1000 --yes-epsilon --csv 2>/dev/null | tr -d '\r'; }
counts
ask people --count --mean income --by region --epsilon 0.5 --json | near declaration.statistics.1.upper=200000 declaration.person=id \
    declaration.max_rows=3 unit=person stored=false ledger.dataset=people
ask people.csv --count --mean income --by region --epsilon 0.5 --json | near stored=true
mkdir elsewhere
(cd elsewhere && ask ../people.csv --count --mean income --by region --epsilon 0.5 --json | near stored=true)
(cd elsewhere && ask people --count --mean income --by region --epsilon 0.5 --json --ledger ../dpnoise-ledger.db | near stored=true)
(cd elsewhere && DPNOISE_LEDGER=../dpnoise-ledger.db dpnoise release people --count --mean income --by region --epsilon 0.5 --json | near stored=true)
(cd elsewhere && ask people --count --epsilon 1)
echo "narrower"
ask people --mean income:0:1000 --where region=north --max-rows 2 --epsilon 0.5 --json | near declaration.statistics.0.upper=1000 declaration.max_rows=2
ask people --count --by region --levels region=south --epsilon 0.5 --json | near rows.0.group.region=south
echo "wider"
ask people --mean income:0:200001 --epsilon 0.5
ask people --sum region --epsilon 0.5
ask people --sum wealth --epsilon 0.5
ask people --count --where 'income<5' --epsilon 0.5
ask people --count --by region --levels region=east --epsilon 0.5
ask people --count --max-rows 4 --epsilon 0.5
ask people --count --relation replace --epsilon 0.5
ask people --count --epsilon 0.0001
ask people --count --epsilon 1001 --yes-epsilon
ask people --count --epsilon 11
ask people --count --epsilon 1 --table people
ask people --count --epsilon 1 --dataset people
echo "the delta of unknown keys"
ask people --count --by town --epsilon 1 --dry-run | unwrapped | sed -n '/^  note/p'
echo "new content, and what the curator says of it"
printf 'id,region,income,town\n4,north,1,a\n' >people.csv
counts | sed -n 2p
dpnoise register people --new-version >/dev/null
counts | sed -n 2p
echo "a registered file by another name"
printf 'x\n1\n' >h.csv
dpnoise register hospital h.csv --number x:0:1 --epsilon 1 >/dev/null
ask h.csv --count --epsilon 0.5 --json | near ledger.dataset=hospital ledger.remaining.epsilon=0.5
ln -s h.csv g.csv
ask g.csv --count --epsilon 0.25
ask g.csv --count --epsilon 0.25 --new-budget
echo "a directory"
mkdir folder
ask folder/ --count --epsilon 0.5
