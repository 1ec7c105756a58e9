# The history as text, CSV and JSON; export and import.
dpnoise budget init people --epsilon 1 --delta 1e-6 --alias staff --ledger l.db >/dev/null
dpnoise budget init guests --epsilon 0.5 --unit person --ledger l.db >/dev/null
dpnoise budget init visitors --alias-of guests --ledger l.db >/dev/null
dpnoise budget charge staff --epsilon 0.1 --note 'a "quoted", note' --ledger l.db >/dev/null
dpnoise budget charge visitors --epsilon 0.25 --ledger l.db >/dev/null
plain() { sed 's/[0-9]*-[0-9]*-[0-9]*T[0-9:]*Z/TIME/; s/:[0-9a-f]\{16\}/:HEAD/; s/  by .*/  by USER/; s/"TIME","[^"]*"/"TIME","USER"/'; }
dpnoise budget history --ledger l.db | plain
dpnoise budget history guests --ledger l.db | plain
dpnoise budget history people --csv --ledger l.db | tr -d '\r' | plain
dpnoise budget history --json --ledger l.db |
    near entries.0.entry.kind=ledger entries.1.entry.epsilon=1 entries.5.entry.note='a "quoted", note' entries.6.number=7
dpnoise budget show --ledger l.db | plain
dpnoise budget show --json --ledger l.db | near budgets.0.name=guests budgets.1.aliases.0=staff budgets.1.spent.epsilon=0.1
dpnoise budget show staff --json --ledger l.db |
    near name=people total.epsilon=1 spent.epsilon=0.1 remaining.epsilon=0.9 charges=1 kinds.0.epsilon_after=0.2

dpnoise budget export --ledger l.db >text
head=$(dpnoise budget verify --ledger l.db | tail -n 1 | sed 's/.* //')
dpnoise budget import text --ledger m.db --ledger-key l.db.key --head "$head" --wal | sed '/head  /d'
dpnoise budget export --ledger m.db --ledger-key l.db.key | cmp - text
dpnoise budget import text --ledger m.db --ledger-key l.db.key || echo $?
sed 's/0\.25/0.20/' text >forged
dpnoise budget import forged --ledger n.db --ledger-key l.db.key || echo $?
sed 3d text >forged
dpnoise budget import forged --ledger n.db --ledger-key l.db.key || echo $?
