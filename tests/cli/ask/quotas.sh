# A quota pays together with its data set; another analyst's answer costs the quota alone; nobody spends what is another's.
printf 'id,income\n1,31000\n2,42000\n' >people.csv
dpnoise register people people.csv --number income:0:200000 --person-id id --epsilon 1 --ledger desk.db >/dev/null
for name in ada ben; do dpnoise budget init people/$name --epsilon 0.5 --of people --ledger desk.db >/dev/null; done
ask() { dpnoise ask --ledger desk.db --analyst "$1" 2>/dev/null | sed 's/what is left.*/what is left/'; }
q() { echo "{\"dataset\": \"$1\", \"statistics\": [{\"kind\": \"$2\", \"column\": \"income\"}], \"epsilon\": \"$3\"}"; }
spent() { dpnoise budget show "$1" --ledger desk.db --json | near spent.epsilon="$2" charges="$3"; }
q people mean 0.25 | ask ada | near stored=false remaining.epsilon=0.25
q people mean 0.25 | ask ada | near stored=true repeat=true charged.epsilon=0 remaining.epsilon=0.25
q people mean 0.25 | ask ben | near stored=true repeat=false charged.epsilon=0.25 remaining.epsilon=0.25
q people mean 0.25 | ask ben | near stored=true repeat=true charged.epsilon=0 remaining.epsilon=0.25
spent people 0.25 1
spent people/ada 0.25 1
spent people/ben 0.25 1
q people sum 0.375 | ask ada
q people/ben sum 0.125 | ask ada
q people sum 0.125 | ask eve
q people sum 0.125 | ask people
spent people 0.25 1
# A quota that is not a quota of this data set.
dpnoise budget init people/carl --epsilon 100 --ledger desk.db >/dev/null
q people sum 0.125 | ask carl
# The data set's budget is the guarantee: the quotas promise more than it has.
dpnoise budget init people/dora --epsilon 1 --of people --ledger desk.db >/dev/null
q people sum 0.75 | ask dora | near stored=false remaining.epsilon=0.25
q people sum 0.25 | ask ada
spent people 1 2
# A refusal says what is set aside, and by which option, and a dry run looks at both.
cp people.csv visits.csv
dpnoise register visits visits.csv --number income:0:200000 --epsilon 1 --delta 1e-5 --ledger d.db >/dev/null
dpnoise budget init visits/ada --epsilon 0.5 --delta 1e-6 --of visits --ledger d.db >/dev/null
dpnoise release visits/ada --count --epsilon 0.25 --ledger d.db >/dev/null
dpnoise ask --ledger d.db --analyst ada 2>/dev/null <<'END' || echo "exit code $?"
{"dataset": "visits", "statistics": [{"kind": "sum", "column": "income"}], "epsilon": "0.375"}
END
dpnoise ask --ledger d.db --analyst eve --shared 2>/dev/null <<'END' || echo "exit code $?"
{"dataset": "visits", "statistics": [{"kind": "sum", "column": "income"}], "epsilon": "0.875"}
END
dpnoise release visits/ada --sum income --epsilon 0.375 --ledger d.db || echo "exit code $?"
dpnoise release visits/ada --sum income --epsilon 0.375 --ledger d.db --dry-run | grep '^  \(cost\|budget\)'
dpnoise release visits --sum income --epsilon 0.625 --ledger d.db >/dev/null
dpnoise release visits/ada --sum income --epsilon 0.1875 --ledger d.db --dry-run | unwrapped | grep '^  \(cost\|budget\|note\)'
# Keys that nobody knows take a delta, which this budget does not have.
dpnoise register towns people.csv --category id --epsilon 1 --ledger t.db >/dev/null
dpnoise release towns --count --by id --epsilon 0.5 --ledger t.db || echo "exit code $?"
dpnoise release towns --count --by id --epsilon 0.5 --delta 1e-6 --ledger t.db || echo "exit code $?"
# Nobody knows why, where there is no log.
rm people.csv
dpnoise ask --ledger t.db --analyst ada --shared 2>/dev/null <<'END' || echo "exit code $?"
{"dataset": "towns", "statistics": [{"kind": "count"}], "epsilon": "0.5"}
END
