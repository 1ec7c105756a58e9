dpnoise law --list --json | near families.0.family=gaussian families.0.parameters.0=sigma families.1.family=laplace \
    'families.1.density=exp(-x/scale)'
