# Analysts have quotas under one cap; a charge to a quota is one to both, or to neither; the curator renews, and the periods
# are added up.
plain() { sed '/head/d;/key /d'; }
dpnoise budget init people --epsilon 1 --delta 1e-6 --ledger l.db >/dev/null
dpnoise budget init people/team-a --epsilon 0.6 --of people --ledger l.db | plain
dpnoise budget init people/team-b --epsilon 0.6 --of people --ledger l.db >/dev/null
dpnoise budget charge people/team-a --epsilon 0.5 --note 'mean age' --ledger l.db | plain
dpnoise budget charge people/team-a --epsilon 0.2 --ledger l.db || echo "exit code $?"
dpnoise budget charge people/team-b --epsilon 0.6 --ledger l.db || echo "exit code $?"
dpnoise budget renew people/team-a --ledger l.db || echo "exit code $?"
dpnoise budget renew people/team-a --note 'a second study' --ledger l.db | plain
dpnoise budget renew people --note 'a new year' --json --ledger l.db |
    /usr/bin/python3 -c 'import json, sys; d = json.load(sys.stdin); print(d["periods"], d["all_periods"], d["of"])'
dpnoise budget show people --ledger l.db | plain
dpnoise budget show people --json --ledger l.db | /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["quotas"])'
dpnoise budget history --ledger l.db | awk '{ $1 = $2 = ""; print }' | sed 's/ by .*//'
dpnoise budget verify --ledger l.db | plain
dpnoise budget init x --epsilon 1 --of people/team-a --ledger l.db || echo "exit code $?"
dpnoise budget init x --epsilon 1 --of people --unit person --ledger l.db || echo "exit code $?"
dpnoise budget init x --epsilon 1 --of nobody --ledger l.db || echo "exit code $?"
dpnoise budget export --ledger l.db >l.text
dpnoise budget import l.text --ledger copy.db --ledger-key l.db.key | plain
