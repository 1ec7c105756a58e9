# A full disk ends the stream.
dpnoise sample 'laplace(scale=1)' --count 1e12 >/dev/full
