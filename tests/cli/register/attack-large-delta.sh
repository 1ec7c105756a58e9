# A budget with a delta near 1 promises hardly anything: that asks for a word, and leaves nothing behind without it.
printf 'id,x\n1,1\n' >t.csv
try() { "$@" >out 2>err && sed -n 's/^  total/total/p' out || echo "exit code $?"; cat err; }
for delta in 0.9 0.00100000000000000000001; do
    try dpnoise register t t.csv --number x:0:9 --epsilon 1 --delta $delta --ledger l.db
    try dpnoise budget init t --epsilon 1 --delta $delta --ledger l.db
done
ls
try dpnoise budget init b --epsilon 1 --delta 0.9 --yes-delta --ledger l.db
try dpnoise budget init c --epsilon 1 --delta 0.001 --ledger l.db
# A quota has the delta of its data set, which was meant; another one asks again.
try dpnoise budget init b/ada --of b --epsilon 0.5 --ledger l.db
try dpnoise budget init b/bob --of b --epsilon 0.5 --delta 0.5 --ledger l.db
# A population of n units is public: above 1/n is said, whoever looks.
try dpnoise register t t.csv --number x:0:9 --epsilon 1 --delta 0.001 --population 1000 --ledger p.db
try dpnoise register t --amend --population 1001 --ledger p.db
try dpnoise register t --show --ledger p.db
dpnoise register t --show --json --ledger p.db 2>&1 >/dev/null
