dpnoise profile --law 'laplace(scale=10)' --sensitivity 1 --times 1000000000000000000 --export parts
tail -n 1 parts
