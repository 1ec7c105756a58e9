# Who reads one line gets one line, and no complaint.
dpnoise law 'gaussian(sigma=1)' --at "$(seq -s , 5000)" | head -n 1
