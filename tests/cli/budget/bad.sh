# Each of these is refused with one sentence, and nothing is recorded.
dpnoise budget init people --epsilon 1 --delta 1e-6 >/dev/null
before=$(dpnoise budget verify | tail -n 1)
refused() { dpnoise budget "$@" || echo $?; }
refused
refused inti people --epsilon 1
refused sandwich
refused init
refused init more
refused init more --epsilon 0
refused init more --epsilon 0.000
refused init more --epsilon -1
refused init more --epsilon nan
refused init more --epsilon inf
refused init more --epsilon 0x1p3
refused init more --epsilon 1e999999999
refused init more --epsilon 1e-310
refused init more --epsilon 1 --delta 1
refused init more --epsilon 1 --delta -1e-6
refused init more --epsilon 1 --delta 1e-320
refused init more --epsilon 1 --delta 1e-6 --delta-renyi 1e-5
refused init more --epsilon 1 --delta 1e-6 --orders 2,4
refused init more --epsilon 1 --delta 1e-6 --orders 2,4 --weights 0.5
refused init more --epsilon 1 --delta 1e-6 --orders 2,4 --weights 0.5,0.6
refused init more --epsilon 1 --delta 1e-6 --orders 4,2 --weights 0.5,0.5
refused init more --epsilon 1 --delta 1e-6 --orders 1,2 --weights 0.5,0.5
refused init more --epsilon 1 --delta 1e-6 --orders 2 --weights 0
refused init more --epsilon 1 --relation swap
refused init more --epsilon 1 --unit household
refused init people --epsilon 2
refused init more --epsilon 1 --alias people
refused init more --epsilon 1 --alias more
refused init more --epsilon 1 --alias a --alias a
refused init '' --epsilon 1
refused init "$(printf 'a\033[2J')" --epsilon 1
refused init 'more ' --epsilon 1
refused init more --alias-of nobody
refused init more --alias-of people --epsilon 1
refused init more people --epsilon 1
refused charge
refused charge people
refused charge nobody --epsilon 0.1
refused charge people --epsilon 0
refused charge people --epsilon -0.1
refused charge people --epsilon NaN
refused charge people --epsilon 4.9e-324
refused charge people --epsilon 1e999999999
refused charge people --epsilon 1e-999999999
refused charge people --epsilon 0.1 --delta 1
refused charge people --epsilon 0.1 --delta 1e-323
refused charge people --epsilon 0.1 --plan plan.json
refused charge people --plan plan.json
refused charge people --epsilon 0.1 --times 2
refused charge people --epsilon 0.1 --relation replace
refused charge people --epsilon 0.1 --unit person
refused charge people --epsilon 0.1 --note "$(printf 'two\nlines')"
refused charge people --epsilon 0.1 --head 1:0123456789abcdef
refused charge people --epsilon 0.1 --epsilon 0.1
refused charge people --epsilon 0.1 --wait 0
refused charge people --epsilon 0.1 --wait 1e12
refused charge people --epsilon 0.1 --ledger ''
refused charge people --epsilon 0.1 --ledger-key /dev/null
refused charge people --epsilon 0.1 --ledger :memory:
refused charge people --epsilon 0.1 --ledger 'file:dpnoise-ledger.db?nolock=1'
refused charge people --epsilon 0.1 --ledger /nowhere/l.db
refused init people --epsilon 0.1 --ledger /nowhere/l.db
refused charge people --epsilon 0.1 --ledger .
refused show nobody
refused show people other
refused history --csv --json
refused verify --head 1
refused verify --head 1:0123456789abcdef
refused verify --head 9:0123456789abcdef
refused verify people
refused export --json
refused import
refused import nothing.txt --ledger new.db
test "$(dpnoise budget verify | tail -n 1)" = "$before"
ls
