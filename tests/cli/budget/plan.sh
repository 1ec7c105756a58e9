# A plan is charged by what its noise guarantees: Gaussian noise by its Renyi divergences, Laplace noise also as pure.
dpnoise budget init people --epsilon 1 --delta 1e-6 --relation replace --ledger l.db >/dev/null
dpnoise calibrate laplace --epsilon 0.25 --sensitivity 1 --relation replace --json >laplace.json
dpnoise calibrate gaussian --epsilon 0.1 --delta 1e-8 --sensitivity 1 --relation replace --json >gaussian.json
dpnoise calibrate truncated-laplace --epsilon 0.1 --delta 1e-8 --sensitivity 1 --relation replace --json >truncated.json
epsilon() { sed -n 's/.*"charge": {"epsilon": "\([^"]*\)".*/\1/p' | rounded 12; }
dpnoise budget charge people --plan laplace.json --ledger l.db --json | epsilon
dpnoise budget charge people --plan gaussian.json --ledger l.db --json |
    near charge.epsilon=null charge.delta=0 charges=2 charge.converted=false
# Pure charges still fit, by the Renyi sums: what is told to be left does, and hardly more.
left=$(dpnoise budget show people --ledger l.db --json | sed -n 's/.*"remaining": {"epsilon": "\([^"]*\)".*/\1/p')
dpnoise budget show people --ledger l.db | unwrapped | grep -c "remaining  epsilon $left by one pure charge, or rho"
dpnoise budget charge people --epsilon "${left}9" --ledger l.db 2>&1 | grep -c "; epsilon $left by one pure charge and delta" || echo none
cp l.db copy.db
cp l.db.key copy.db.key
dpnoise budget charge people --epsilon "$left" --ledger copy.db >/dev/null
dpnoise budget charge people --plan truncated.json --ledger l.db || echo $?
dpnoise budget charge people --plan truncated.json --delta 1e-8 --ledger l.db --json |
    near charge.delta=1e-8 spent.delta=1e-8 charges=3
dpnoise budget show people --ledger l.db | sed -n '/past/,/head/s/ *epsilon.*//p' | rounded

# Its divergence is that of the noise: at the orders of the budget a/(2 sigma^2), rounded up.
dpnoise budget init orders --epsilon 5 --delta 1e-6 --orders 4,16 --weights 0.5,0.5 --relation replace --ledger l.db >/dev/null
printf '[{"coordinates": "0", "noise": "gaussian(sigma=8)", "grid": null, "sensitivities": [1], "epsilon": null}]' >g.json
dpnoise budget charge orders --plan g.json --times 3 --ledger l.db --json |
    near charge.divergence.0=0.09375 charge.divergence.1=0.375

# For add-remove against replace: two steps, the epsilon of pure noise doubled, four times the rho of Gaussian noise.
dpnoise budget charge orders --plan g.json --relation add-remove --ledger l.db --json |
    near charge.divergence.0=0.125 charge.divergence.1=0.5
dpnoise budget init pure --epsilon 1 --relation replace --ledger l.db >/dev/null
dpnoise budget charge pure --plan laplace.json --relation add-remove --ledger l.db --json | epsilon
dpnoise budget charge pure --epsilon 0.25 --relation add-remove --ledger l.db | unwrapped | sed -n '/spent/p;/charged/p' | rounded 12
dpnoise budget charge pure --plan gaussian.json --ledger l.db || echo $?
