# A row moves one bin of a histogram by 1, or two when it is replaced: scale 2 is 0.5-DP, or 1-DP. Persons of 3 rows: 1.5, or 3.
for relation in add-remove replace; do
    for rows in 1 3; do
        dpnoise profile 'laplace(scale=2)' --histogram 5 --max-rows $rows --delta 0 --relation $relation --json |
            sed -n 's/.*"epsilon": \([^,]*\),.*"max_changed": \([^,]*\),.*/\1 \2/p'
    done
done
dpnoise profile 'laplace(scale=2)' --histogram 1 --relation replace --delta 0 --json | near epsilon=0.5
dpnoise renyi 'gaussian(sigma=2)' --histogram 9 --relation replace --order 2 --json | near divergence=0.5
dpnoise calibrate laplace --epsilon 1 --histogram 4 --relation replace --json | near 1e-14 variance.0=8
dpnoise compare --epsilon 1 --histogram 4 --relation replace --json | near sensitivity.max_changed=2 relation=replace

# A plan's own relation counts unless options say another.
dpnoise calibrate laplace --epsilon 1 --sensitivity 1 --dim 3 --relation replace --json >plan.json
dpnoise profile --plan plan.json --histogram 3 --delta 0 --json | near 1e-14 epsilon=0.66666666666666667 relation=replace
dpnoise profile --plan plan.json --histogram 3 --delta 0 --relation add-remove --json | near 1e-14 epsilon=0.33333333333333333 relation=add-remove
