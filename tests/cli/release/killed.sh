# Killed at any moment, a release leaves no number without its charge: who has seen an answer finds it charged and stored.
"$CASES"/../../demo/census 20000 >people.csv
dpnoise budget init people --epsilon 1000 >/dev/null
runs=12 seen=0
if [ "${DPN_LONG-}" = 1 ]; then runs=300; fi
for i in $(seq $runs); do
    dpnoise release people.csv --count --mean "income:0:$i" --epsilon 1 --json >"answer$i" 2>/dev/null &
    sleep "0.0$((i * 7 % 10))$((i * 3 % 10))"
    kill -9 $! 2>/dev/null || true
    wait $! 2>/dev/null || true
    if [ -s "answer$i" ]; then seen=$((seen + 1)); fi
done
for i in $(seq $runs); do
    if [ ! -s "answer$i" ]; then continue; fi
    dpnoise release people.csv --count --mean "income:0:$i" --epsilon 1 --json >again
    near stored=true <again
done
charges=$(dpnoise budget show people --json | sed 's/.*"charges": \([0-9]*\).*/\1/')
test "$charges" -ge "$seen"
test "$charges" -le $runs
dpnoise budget verify >/dev/null
