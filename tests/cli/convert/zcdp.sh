# Values: the formulas at 40 digits, with the best order found there too.
dpnoise convert 'zcdp(rho=0.02)' --delta 1e-6 --rule canonne-kamath-steinke --json |
    near 1e-11 epsilon=0.8999352676606418667827070683104238799653 label=bound rule=canonne-kamath-steinke delta=1e-06
dpnoise convert 'zcdp(rho=0.02)' --epsilon 1 --rule canonne-kamath-steinke --json |
    near 1e-11 delta=0.00000008825254987221150525577579187451281031406 log_delta=-16.24306324781431325199930139722923046128
dpnoise convert 'zcdp(rho=0.02)' --delta 1e-6 --rule bun-steinke --json |
    near epsilon=1.07130435395138639572602427162019920087 label=bound rule=bun-steinke
dpnoise convert 'zcdp(rho=0.02)' --epsilon 1 --rule bun-steinke --json |
    near 1e-11 delta=0.000006113567966371406942587157535930947888125
dpnoise convert 'zcdp(xi=0.1,rho=0.02)' --delta 1e-6 --rule bun-steinke --json | near epsilon=1.171304353951386414357550
# The default is no worse than either, and the optimal rule gains a little.
dpnoise convert 'zcdp(rho=0.02)' --delta 1e-6 --json | near 1e-6 epsilon=0.8999346 rule=optimal
