# Deltas that no double holds, by their logarithms. Values: logarithms of the project's vectors, and mpmath at 60 digits.
# So far down a double knows delta itself to four digits only.
dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 1e-6 --epsilon 1 --accuracy 1e-3 --json |
    holds 1e-6 log_delta=-500000000041.865515458988794303604215676~1e-13
dpnoise profile 'gaussian(sigma=1)' --sensitivity 1e-6 --epsilon 1 --accuracy 1e-3 --json |
    holds 1e-6 log_delta=-500000000041.865515458988794303604215676~1e-13
dpnoise profile 'osgt(m=1,sigma=1)' --sensitivity 0.01 --epsilon 0.5 --json |
    holds 1e-6 log_delta=-1261.95149108002746423793507626892571567~1e-13
# A method that cannot go so far says so.
for method in auto contour fft; do
    if dpnoise profile --law 'osgt(m=1,sigma=1)' --sensitivity 0.001 --epsilon 1 --method $method --json >deep 2>/dev/null; then
        holds 1e-6 log_delta=-500019.9943330306~1e-13 <deep
    fi
done
# For people a power of ten, rounded up: the logarithm to the base 10 is -548.0586.
dpnoise profile 'osgt(m=1,sigma=1)' --sensitivity 0.01 --epsilon 0.5 | sed -n 2,5p
