# dear: forty small fits, one after the other
# Each option of a fit reaches it: what is said otherwise is another fit, and has no answer that was kept for the other. Nothing is printed for those that do.
i=0
echo 'x,y' >t.csv
while [ $i -lt 30 ]; do echo "$((i % 7)),$((i * i % 11))" >>t.csv && i=$((i + 1)); done
dpnoise budget init t --epsilon 10000 --delta 0.5 --yes-delta >/dev/null 2>&1
stored() {
    dpnoise fit "$@" --target y:0:10 --features x:0:6 --epsilon 0.05 --json 2>told |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["stored"])' 2>&1 || sed "s/^/$*: /" told
}
# apart KIND WORDS: OPTION ONE OTHER, where "" says nothing
apart() {
    words=$1 option=$2
    for value in "$3" "$4"; do
        case $value in
        '') found=$(stored $words) ;;
        yes) found=$(stored $words "$option") ;;
        *) found=$(stored $words "$option" "$value") ;;
        esac
        [ "$found" = False ] || echo "$words $option $value: $found"
    done
}
kept() { [ "$(stored $1)" = True ] || echo "$1: not kept"; }
cd='linear t.csv --method cd'
apart "$cd" --passes 3 4
kept "$cd --passes 3"
apart "$cd" --clip 0.5 0.6
apart "$cd" --step 0.5 0.6
apart "$cd --delta 1e-5" --accounting exact zcdp
apart "$cd --passes 2" --identical '' yes
apart "$cd" --start 0,0 1,0.5
apart "$cd" --smoothness 0.5,0.2 0.5,0.3
apart "$cd" --rows 100 200
apart "$cd" --regularize l1:0.1 l2:0.1
apart "$cd" --regularize l1:0.2 l1:0.1,l2:0.1
apart "$cd --passes 5" --noise laplace ''
apart "$cd --passes 6" --no-intercept '' yes
apart "$cd --passes 7" --raw '' yes
apart 'linear t.csv --method aggregate' --blocks 3 4
apart 'linear t.csv --method aggregate --blocks 5' --within 0.5 0.6
apart 'linear t.csv --method objective --rows 100 --within 1' --share 0.3 0.4
apart 'linear t.csv --method objective --rows 100' --within 0.5 0.6
apart 'linear t.csv --method objective --rows 100' --within l2:0.5 l2:0.6
apart 'linear t.csv --method objective --rows 100 --within 2' --ball l1 l2
apart 'linear t.csv --method sgd --rows 100 --delta 1e-5 --passes 1' --sample-rate 0.25 0.5
apart 'linear t.csv --method kng' --points 3 5
apart 'quantile t.csv --points 3' --quantile 0.3 0.4
apart 'linear t.csv --rows 1000' --method moments functional
