# Relation and unit are printed as given, by default add-remove of a row, and change no number.
dpnoise profile 'gaussian(sigma=5)' --sensitivity 1 --epsilon 1 --json | near relation=add-remove unit=row >/dev/null
dpnoise profile 'gaussian(sigma=5)' --sensitivity 1 --epsilon 1 --relation replace --unit person --json |
    near relation=replace unit=person
for relation in replace add-remove; do
    for unit in row person; do
        dpnoise profile 'gaussian(sigma=5)' --sensitivity 1 --epsilon 1 --relation $relation --unit $unit | sed -n '2p;$p'
    done
done
dpnoise profile --pure 1 --epsilon 1 --unit person | tail -n 1

# A plan keeps what it says; one that does not say it means replace, as when that was the default.
dpnoise calibrate laplace --epsilon 1 --sensitivity 1 --json >said.json
printf '{"plan": [{"coordinates": "0", "noise": "laplace(scale=1)", "sensitivities": [1]}]}' >unsaid.json
dpnoise profile --plan said.json --epsilon 1 | tail -n 1
dpnoise profile --plan unsaid.json --epsilon 1 | tail -n 1
dpnoise profile --plan unsaid.json --epsilon 1 --relation add-remove | tail -n 1
