# Shuffled reports: JSON members, words, and what is refused. Two reports by hand: (1 - q/2) tanh(E/2), q = 2/(e^E + 1), at the epsilon 0.
dpnoise profile --pure 1 --shuffle 2 --epsilon 0 --json | near 1e-8 delta=0.33783471214704114
dpnoise profile --pure 1 --shuffle 3000 --delta 1e-6 --json |
    /usr/bin/python3 -c 'import json, sys; a = json.load(sys.stdin); print(a["argument"], a["relation"], a["shuffle"], 0 < a["epsilon_lower"] <= a["epsilon"] < 0.3)'
dpnoise profile --pure 1 --shuffle 3000 --delta 1e-6 | unwrapped | grep -E 'worst|shuffling|neighbours'
for bad in '--pure 1 --shuffle 0' '--pure 1 --times 2 --shuffle 5' '--pure 1 --pure 1 --shuffle 5' '--pure 200 --shuffle 5' '--pure 1 --shuffle 5 --relation add-remove' \
    '--pure 1 --sample-rate 0.1 --shuffle 5' '--block 1 --shuffle 5'; do
    # shellcheck disable=SC2086 # options
    dpnoise profile $bad --epsilon 0.5 || echo $?
done
