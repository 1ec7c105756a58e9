# Values: closed forms at 40 digits.
dpnoise convert 'pure(epsilon=1)' --epsilon 0.5 --json |
    near delta=0.2876491366449679249217103429301319930981 label=exact rule=randomised-response
dpnoise convert 'pure(epsilon=1)' --epsilon 1 --json | near delta=0 log_delta=-inf
dpnoise convert 'pure(epsilon=1)' --to zcdp --json | near xi=0 rho=0.4621171572600097585023184836436725487303 label=exact
dpnoise convert 'pure(epsilon=1)' --to zcdp --rule bun-steinke --json | near rho=0.5 label=bound
dpnoise convert 'pure(epsilon=1)' --to renyi --order 2 --json |
    near order=2 divergence=0.7353256640555192247099304248868343560266 label=exact
dpnoise convert 'pure(epsilon=1)' --to gdp --json | near 1e-11 mu=1.23203538534490097285567252654153185362 label=exact
dpnoise convert 'gdp(mu=1)' --epsilon 1 --json | near 1e-10 delta=0.1269367375066439458008296247577668804151 label=exact
dpnoise convert 'gdp(mu=0.5)' --epsilon 1 --json | near 1e-10 delta=0.006829594983114575384235012879926872750028
dpnoise convert 'gdp(mu=0.5)' --to zcdp --json | near rho=0.125 label=exact
dpnoise convert 'approximate(epsilon=1,delta=1e-6)' --to gdp --json |
    near 1e-10 mu=0.2367043806634357096481233535120369793024 label=exact rule=needed
