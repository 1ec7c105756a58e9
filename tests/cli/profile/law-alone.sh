# One law with --times, --export or --sample-rate is a composition without the word --law.
same() {
    dpnoise profile --law "$@" >with
    dpnoise profile "$@" | diff with - && echo same
}
same 'gaussian(sigma=50)' --sensitivity 1 --times 1000 --delta 1e-6
same 'laplace(scale=20)' --sensitivity 1 --sample-rate 0.1 --steps 3 --epsilon 0.01
same 'laplace(scale=20)' --sensitivity 1 --epsilon 0.01 --export parts
tail -n 1 parts
dpnoise renyi 'gaussian(sigma=50)' --sensitivity 1 --times 1000 --order 2 | grep parts
