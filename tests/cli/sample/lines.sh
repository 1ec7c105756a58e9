# One number a line; the count in digits or as a power of ten; not twice the same.
dpnoise sample 'gaussian(sigma=1)' | wc -l
dpnoise sample 'flipped-huber(alpha=3,gamma=1)' --count 10000 | grep -c '^-*[0-9][0-9.e-]*$'
dpnoise sample 'discrete-gaussian(sigma=100)' --count 1e4 | grep -c '^-*[0-9]*$'
for i in 1 2; do dpnoise sample 'osgt(m=1,sigma=2)' --count 20 | cksum; done | sort -u | wc -l
# A reader that has enough stops the writer.
dpnoise sample 'laplace(scale=1)' --count 1e18 | head -n 2 | wc -l
