# A ledger that is deleted while its key still lies there does not become a new one with a new budget: not by init, not by a
# release; only if the curator says so.
printf 'age\n31\n42\n' >people.csv
dpnoise budget init people --epsilon 1 --ledger l.db >/dev/null
rm l.db
dpnoise budget init people --epsilon 1 --ledger l.db || echo "exit code $?"
dpnoise release people.csv --count --epsilon 1 --ledger l.db || echo "exit code $?"
: >l.db
dpnoise budget init people --epsilon 1 --ledger l.db || echo "exit code $?"
dpnoise budget init people --epsilon 2 --new-ledger --ledger l.db | grep total
