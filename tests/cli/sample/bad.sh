# Each is refused with one sentence and the code 2, and nothing is printed.
refused() { dpnoise sample "$@" || echo $?; }
refused
refused 'gaussian(sigma=1)' 'laplace(scale=1)'
refused 'gausian(sigma=1)'
refused 'gaussian(sigma=-1)'
refused 'gaussian(sigma=1)' --count 0
refused 'gaussian(sigma=1)' --count 1.5
refused 'gaussian(sigma=1)' --count -3
refused 'gaussian(sigma=1)' --count 1e999999999
refused 'gaussian(sigma=1)' --grid 0.1
refused 'gaussian(sigma=1)' --grid -1
refused 'gaussian(sigma=1)' --grid 1e-400
refused 'discrete-laplace(scale=2)' --grid 0.5
refused 'laplace(scale=1e-149)'
refused 'laplace(scale=1e149)'
refused 'gaussian(sigma=1)' --seed 1
refused 'gausian(sigma=1)' --json
