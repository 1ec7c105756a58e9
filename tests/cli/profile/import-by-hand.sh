# A file as people write it: comments, tabs, blank lines, carriage returns, no newline at the end.
printf '# mine\r\n\r\n  20\t1   laplace( scale = 10 )  # weekly\r\n1e6 1 gaussian(sigma=1e4)' >parts
dpnoise profile --import parts --epsilon 1 --export clean --json |
    near parts.0.times=20 parts.0.sensitivity=1 parts.0.law='laplace(scale=10)' parts.1.times=1000000
tail -n 2 clean
