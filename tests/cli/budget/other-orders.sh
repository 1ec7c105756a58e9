# A quota and its data set, each at orders of its own: both are charged what a budget of the same terms is that stands alone.
terms() { case $1 in cap | cap-alone) echo "--orders 4,7 --weights 0.5,0.5" ;; *) echo "--orders 12,40 --weights 0.5,0.5" ;; esac; }
for name in cap cap-alone quota quota-alone; do
    # shellcheck disable=SC2046
    dpnoise budget init $name --epsilon 5 --delta 1e-5 $(terms $name) $([ $name = quota ] && echo --of cap) --ledger l.db >/dev/null
done
for name in quota cap-alone quota-alone; do
    dpnoise budget charge $name --law 'gaussian(sigma=1.1)' --sensitivity 1 --sample-rate 0.01 --steps 1000 --ledger l.db >/dev/null
done
for name in cap cap-alone quota quota-alone; do
    dpnoise budget show $name --json --ledger l.db | sed -n 's/.*"spent": {"epsilon": "\([^"]*\)".*/\1/p'
done >spent
awk '{ spent[NR] = $1 } END { print NR, spent[1] == spent[2], spent[3] == spent[4], spent[2] != spent[4] }' spent
