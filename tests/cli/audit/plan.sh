# A plan in the place of a law, with an answer that cannot move; what is not drawn, or for many releases, is refused.
dpnoise calibrate laplace --epsilon 1 --sensitivities 1,8,0 --json >plan.json
dpnoise audit --plan plan.json --samples 1e5 | sed -n '1,2p;/sensitivity/p'
dpnoise audit --plan plan.json 'laplace(scale=1)' || echo $?
dpnoise calibrate laplace --epsilon 1 --sensitivity 1 --times 10 --json >ten.json
dpnoise audit --plan ten.json || echo $?
echo '[{"coordinates": "0", "noise": "pure(epsilon=1)"}]' >pure.json
dpnoise audit --plan pure.json --sensitivity 1 || echo $?
dpnoise audit --plan none.json || echo $?
