# What is asked is reached, or there is no number.
dpnoise profile --law 'laplace(scale=8)' --sensitivity 1 --times 10 --epsilon 0.9 --accuracy 1e-3 --json |
    holds 1e-3 delta=0.0016078235829133855~1e-13
dpnoise profile --law 'laplace(scale=8)' --sensitivity 1 --times 10 --epsilon 0.9 --accuracy 1e-15 >out 2>err || echo $?
wc -c <out
grep -c '^dpnoise profile: .*accuracy' err
