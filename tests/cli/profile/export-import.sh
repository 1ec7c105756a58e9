# What is exported is imported again, to the last bit; numbers stand as they were written.
dpnoise profile --law ' osgt( sigma=6.30, m=3)' --sensitivity 0.10 --times 1e3 --pure 1e-1 --block 0.250 --times 2 --epsilon 3 \
    --export parts --json | sed 's/, "export".*/}/' >one
grep -v '^#' parts
grep -c '^# times sensitivity law' parts
dpnoise profile --import parts --epsilon 3 --json >two
cmp one two
dpnoise profile --import parts --export again --epsilon 3 >/dev/null
cmp parts again
# Parts are added to those of a file, and files to each other.
dpnoise profile --import parts --import parts --law 'laplace(scale=10)' --sensitivity 1 --epsilon 3 --json |
    near parts.0.times=1000 parts.3.times=1000 parts.5.times=2 parts.6.law='laplace(scale=10)'
ls -A
