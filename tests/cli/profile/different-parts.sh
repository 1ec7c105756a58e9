# Gaussian noise on answers of different sensitivity. Value: the project's vectors.
dpnoise profile --law 'gaussian(sigma=20)' --sensitivity 1 --law 'gaussian(sigma=25)' --sensitivity 2 \
    --law 'gaussian(sigma=30)' --sensitivity 3 --law 'gaussian(sigma=35)' --sensitivity 4 \
    --law 'gaussian(sigma=40)' --sensitivity 5 --epsilon 0.5 --json | holds 1e-6 delta=0.001044585403265205037383055
