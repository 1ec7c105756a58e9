# Numbers with more digits than a sentence has room for are rounded, never cut: their exponent is at the end.
dpnoise budget init people --epsilon 1 --delta 1e-5 --ledger l.db >/dev/null
dpnoise budget charge people --epsilon 0.1 --delta 2.2363251584999999999e-6 --ledger l.db >/dev/null
dpnoise budget charge people --epsilon 2 --ledger l.db || echo "exit code $?"
dpnoise budget charge people --epsilon 0.1 --delta 9.00000000000000000000000001e-6 --ledger l.db || echo "exit code $?"
dpnoise budget init people/ada --of people --epsilon 0.5 --delta 3.0000000000001e-6 --ledger l.db >/dev/null
dpnoise budget charge people/ada --epsilon 0.1 --ledger l.db >/dev/null
dpnoise budget charge people/ada --epsilon 0.6 --ledger l.db || echo "exit code $?"
