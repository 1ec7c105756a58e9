# A forgotten value does not swallow the next option.
dpnoise law 'gaussian(sigma=1)' --at --json
