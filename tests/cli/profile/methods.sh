# Both methods hold the same truth, the value of the project's vectors.
for method in contour fft; do
    dpnoise profile --law 'osgt(m=3.5,sigma=6)' --sensitivity 1 --times 20 --epsilon 5 --method $method --json >$method
    holds 1e-5 delta=2.4955955258825939e-08~4e-10 <$method
    near method=$method <$method
done
