# Every option of the help stands in the manual, and the other way round.
for command in add ask audit budget calibrate compare convert doctor example explore fit knorm law merge predict profile register release renyi sample sql tally; do
    dpnoise help $command | sed -n '/^options/,/^$/s/^  \(--[a-z0-9-]*\).*/\1/p' | sort >help
    sed -n 's/^\.It Fl Fl \([a-z0-9-]*\).*/--\1/p' "$CASES/../../man/dpnoise-$command.1" | sort >manual
    diff help manual
done
