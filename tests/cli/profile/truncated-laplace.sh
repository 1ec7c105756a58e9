# Values: the project's vectors. At infinite epsilon what remains is the mass of infinite loss, which no smaller delta can buy.
law='truncated-laplace(scale=1,bound=5)'
dpnoise profile "$law" --sensitivity 1 --epsilon 1,inf --json |
    holds 1e-6 profile.0.delta=0.005828115478019803697435457 profile.1.delta=0.005828115478019803697435457
dpnoise profile "$law" --sensitivity 1 --delta 0.001 --json | near epsilon=inf epsilon_lower=inf
# No finite epsilon is exit 4, answer or not, so that a script does not go on; beside a finite one it is a row like others.
dpnoise profile "$law" --sensitivity 1 --delta 0.001 >/dev/null || echo $?
dpnoise profile "$law" --sensitivity 1 --delta 0.001,0.1 >/dev/null && echo "some are finite"
dpnoise profile "$law" --sensitivity 1 --delta 0.001 | sed -n 2p
dpnoise profile 'truncated-laplace(scale=1.2,bound=8)' --sensitivity 1 --dim 2 --epsilon 1 --json |
    holds 1e-5 delta=0.16529108213471058~1e-8
