# OSGT's example of eight answers (mpmath, 40 digits); the constant bound is (15 8 + 10 8/2)/630.
dpnoise renyi 'osgt(m=15,sigma=25.099800796022265)' 'gaussian(sigma=20)' --sensitivity 1 --dim 8 --order 10 --bound osgt-16 --bound osgt-constant --json |
    near laws.0.bounds.osgt-16=0.9249645211255452381267091 laws.0.bounds.osgt-constant=0.25396825396825396825
dpnoise renyi 'osgt(m=3,sigma=6.324555320336759)' 'gaussian(sigma=5.2635)' --sensitivity 1 --order 1,2,20,inf --bound osgt-16 | grep -v sensitivity
dpnoise renyi --bound list
dpnoise renyi --bound list --json | cut -c 1-30
