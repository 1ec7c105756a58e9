# Each of these is refused with one sentence and the code 2.
refused() { dpnoise convert "$@" || echo $?; }
refused
refused --delta 1e-6
refused 'zcdp(rho=0.1)'
refused 'zcdp(rho=0.1)' --delta 1e-6 --epsilon 1
refused 'zcdp(rho=0.1)' --delta 1
refused 'zcdp(rho=0.1)' --delta -1e-6
refused 'zcdp(rho=0.1)' --delta nan
refused 'zcdp(rho=0.1)' --epsilon 1e999999999
refused 'zcdp(rho=0.1)' --epsilon -1
refused 'zcdp(rho=-0.1)' --epsilon 1
refused 'zcdp(xi=0.1)' --epsilon 1
refused 'zcpd(rho=0.1)' --epsilon 1
refused 'gaussian(sigma=1)' --epsilon 1
refused 'pure(epsilon=1' --epsilon 1
refused 'renyi(order=1,divergence=0.1)' --epsilon 1
refused 'approximate(epsilon=1,delta=1)' --epsilon 1
refused 'zcdp(rho=0.1)' --to pure
refused 'zcdp(rho=0.1)' --to gdp
refused 'zcdp(rho=0.1)' --to renyi
refused 'zcdp(rho=0.1)' --delta 1e-6 --order 2
refused 'zcdp(rho=0.1)' --to renyi --order 1
refused 'approximate(epsilon=1,delta=1e-6)' --to zcdp
refused 'renyi(order=2,divergence=0.1)' --group 2
refused 'approximate(epsilon=1,delta=0.1)' --group 9
refused 'pure(epsilon=1)' --group 0
refused 'pure(epsilon=1)' --delta 1e-6 --rule bun-steinke
refused 'pure(epsilon=1)' --delta 1e-6 --rule best
refused 'pure(epsilon=1)' --to gdp --rule optimal
refused 'pure(epsilon=1)' 'gdp(mu=1)' --to zcdp
refused 'zcdp(xi=0.1,rho=0.1)' --to add-remove
