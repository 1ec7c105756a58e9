# Noise that is not pure: a budget made for it takes (epsilon, delta), a planned one counts Renyi divergences, which leave more.
printf 'a,b\n1,2\n3,4\n' >t.csv
dpnoise release t.csv --sum a:0:9 --sum b:0:9 --epsilon 1 --delta 1e-6 --noise gaussian --json |
    near ledger.charged.epsilon=1 ledger.charged.delta=1e-6 ledger.remaining.epsilon=0 ledger.remaining.delta=0
dpnoise budget init t --epsilon 2 --delta 1e-5 --ledger l.db >/dev/null
for i in 1 2 3; do
    dpnoise release t.csv --sum "a:0:$i" --epsilon 1 --delta 1e-6 --noise gaussian --ledger l.db --json |
        near ledger.charged.epsilon=null ledger.charged.delta=0
done
