dpnoise law 'gaussian(sigma=4)' 'laplace(scale=2)' --at -4 --prob 0.975 --mgf 0.5
