# The recipe of docs/engines.md with GNU parallel: a state for each part, and one release.
command -v parallel >/dev/null || { echo "skip: GNU parallel is not installed" >&2 && exit 77; }
parallel --citation --will-cite >/dev/null 2>&1 </dev/null || true
seq 1 1000 | sed '1s/^/income\n/' >all.csv
dpnoise release all.csv --count --sum income:0:1000 --epsilon 1 --dry-run --save-spec question.json >/dev/null
parallel --will-cite --pipepart -a all.csv --header : --block 1k "dpnoise tally - --spec question.json -o {#}.state >/dev/null"
dpnoise tally all.csv --spec question.json -o one >/dev/null
[ -f 3.state ] && dpnoise merge ./*.state -o merged && cmp merged one
