# Ten charges of 0.1 fit a budget of 1 exactly, the eleventh does not; in both journal modes.
for wal in '' --wal; do
    rm -f l.db*
    # shellcheck disable=SC2086 # an option or nothing
    dpnoise budget init people --epsilon 1 --delta 1e-6 --ledger l.db $wal >/dev/null
    for i in 1 2 3 4 5 6 7 8 9 10; do dpnoise budget charge people --epsilon 0.1 --ledger l.db >/dev/null; done
    dpnoise budget charge people --epsilon 0.1 --ledger l.db || echo "exit code $?"
    dpnoise budget charge people --epsilon 1e-300 --ledger l.db || echo "exit code $?"
    dpnoise budget show people --ledger l.db | sed '/head/d'
done
