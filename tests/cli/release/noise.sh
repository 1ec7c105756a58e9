# Every mechanism that has a name is taken, and the best of all has no more variance than any of them but bounded noise, of
# which it takes none, and within the margins by which a family must be better than one before it and noise that spends delta
# better than pure noise.
# dear: every family is calibrated; compare reaches the same code
printf 'person,income\na,31000\nb,42000\n' >people.csv
variance() {
    dpnoise release people.csv --count --epsilon 1 --delta 1e-6 --noise "$1" --dry-run --json |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["sensitivity"]["cells"][0]["variance"])'
}
names=$(dpnoise law --list --json | python3 -c 'import json, sys; print(*[f["family"] for f in json.load(sys.stdin)["families"]])')
best=$(variance best)
for name in $names k-norm blocks; do
    echo "$name $(variance "$name")"
done | python3 -c '
import sys
rows = dict(line.split() for line in sys.stdin)
for name, variance in rows.items():
    if name != "truncated-laplace" and float(variance) * (1 + 1e-4) < 0.99 * float(sys.argv[1]):
        print(name, variance, "is better than", sys.argv[1])
print(len(rows) >= 15)' "$best"

# What a person adds several rows to has no noise on the integers, nor a staircase: the best passes over both.
# Two rows are several, one is not.
rows=2
ask() { dpnoise release people.csv --histogram income:0:100000:2 --person-id person --max-rows "$rows" --epsilon 1 --dry-run "$@"; }
ask --noise best --json | python3 -c '
import json, sys
noise = [block["noise"] for block in json.load(sys.stdin)["plan"]]
print(len(noise) > 0 and not any(text.startswith(("discrete", "staircase")) for text in noise))'
ask --noise staircase || echo $?
ask --noise discrete-laplace || echo $?
rows=1
ask --noise staircase >alone && ask --noise discrete-laplace >alone || echo $?

# An answer.
dpnoise release people.csv --count --sum income:0:9 --epsilon 1 --noise best --json | near ledger.charged.epsilon=1
# Sums that one row moves together get noise of the hull of its moves, unless noise is asked for by name.
for more in "" "--noise k-norm" "--noise blocks" "--noise laplace"; do
    # shellcheck disable=SC2086
    dpnoise release people.csv --variance income:0:100000 --epsilon 1 --dry-run $more | grep '  noise  '
done
