# Each of these is refused with one sentence.
refused() { dpnoise profile "$@" || echo $?; }
plan() { printf '%s' "$1" >plan && refused --plan plan --epsilon 1; }
good='{"coordinates": "0", "noise": "laplace(scale=1)", "sensitivities": 1}'
refused --plan missing --epsilon 1
refused --plan . --epsilon 1
plan ''
plan '[1, 2'
plan '{"noise": "laplace(scale=1)"}'
plan '[{"coordinates": "0", "noise": "laplas(scale=1)"}]'
plan '[{"coordinates": "0,0", "noise": "laplace(scale=1)"}]'
plan '[{"coordinates": "1", "noise": "laplace(scale=1)"}]'
plan '[{"coordinates": "0-99999999", "noise": "laplace(scale=1)"}]'
plan '[{"coordinates": "0", "noise": "laplace(scale=1)"}]'
plan '[{"coordinates": "0", "noise": "none", "sensitivities": [1]}]'
plan '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[['
printf '[%s]' "$good" >plan
refused 'laplace(scale=1)' --plan plan --epsilon 1
refused --law 'laplace(scale=1)' --sensitivity 1 --plan plan --epsilon 1
refused --plan plan --dim 2 --linf 1 --epsilon 1
refused --plan plan --sensitivities 1,2 --epsilon 1
refused --plan plan --times 0 --epsilon 1
refused --plan plan --times 1 --times 2 --epsilon 1
refused --plan plan --export file --epsilon 1
refused --plan plan --condition fh-theorem-8 --epsilon 1
refused --plan plan --sample-rate 0.1 --epsilon 1
refused --plan plan --plan plan --epsilon 1
ls -A
