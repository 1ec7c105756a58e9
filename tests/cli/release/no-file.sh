# A file that is not there is called that, with a ledger and without one; nothing is made or charged.
dpnoise release nofile.csv --count --epsilon 1 || echo $?
ls -A
dpnoise budget init people --epsilon 1 --ledger l.db >/dev/null
dpnoise release nofile.csv --count --epsilon 1 --ledger l.db || echo $?
dpnoise release people.csv --count --epsilon 1 --ledger l.db || echo $?
dpnoise budget show people --ledger l.db | grep spent
