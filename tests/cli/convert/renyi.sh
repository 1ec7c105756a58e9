# The worst coin at 40 digits; Proposition 12 from the project's vectors; the best of a list.
dpnoise convert 'renyi(order=2,divergence=0.1)' --epsilon 1 --json |
    near 1e-9 delta=0.01516786419035110406927700722868415637374 log_delta=-4.188576287204762376721744436204724427388 \
        label=exact rule=optimal best_order=2
dpnoise convert 'renyi(order=2,divergence=0.1)' --delta 0.01516786419035110406927700722868415637374 --json |
    near 1e-9 epsilon=1
dpnoise convert 'renyi(order=72,divergence=0.45)' --epsilon 0.9 --rule canonne-kamath-steinke --json |
    near 1e-12 delta=6.850059111659121666533920e-17 label=bound
dpnoise convert 'renyi(order=2,divergence=0.04)' 'renyi(order=16,divergence=0.32)' 'renyi(order=64,divergence=1.28)' \
    --delta 1e-5 --json | near best_order=16 label=bound
