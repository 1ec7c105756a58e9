dpnoise convert 'zcdp(rho=0.1)' --delta 2 --json
