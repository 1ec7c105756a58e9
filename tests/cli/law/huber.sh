# Normalised Fisher information at alpha/gamma = 0.5, 1, 2, 3: mpmath, 60 digits.
dpnoise law 'huber(alpha=0.5,gamma=1)' 'huber(alpha=1,gamma=1)' 'huber(alpha=2,gamma=1)' 'huber(alpha=6,gamma=2)' \
    --json |
    near laws.0.nfi=1.72650062500156499384763 laws.1.nfi=1.313413269587976570127298 \
        laws.2.nfi=1.02246898244865489602066 laws.3.nfi=1.000645739000528557298388
