# Eight processes ask the first question of a file at once: one pays, the others are refused or get the same answer. They wait
# long enough for a slow disk; whoever ends otherwise is heard.
printf 'region,income\nnorth,31000\nsouth,42000\n' >people.csv
for i in 1 2 3 4 5 6 7 8; do
    (dpnoise release people.csv --count --sum income:0:100000 --epsilon 1 --wait 300000 --csv >"answer$i" 2>"said$i" || echo "$?" >"code$i") &
done
wait
dpnoise budget show people --json | near charges=1 spent.epsilon=1
cat answer* | grep -v count | sort -u | wc -l
for i in 1 2 3 4 5 6 7 8; do
    if [ -f "code$i" ] && [ "$(cat "code$i")" != 1 ]; then cat "code$i" "said$i"; fi
done
