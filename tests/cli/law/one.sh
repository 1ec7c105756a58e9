dpnoise law 'flipped-huber(alpha=3,gamma=1)' --at 0.5,4,inf --prob 1e-12 --mgf 0.5
