# Each of these is refused with one sentence and its code.
refused() { dpnoise renyi "$@" || echo $?; }
law='gaussian(sigma=5)'
refused
refused --order 2
refused "$law" --sensitivity 1
refused "$law" --order 2
refused "$law" --sensitivity 1 --order 0.5
refused "$law" --sensitivity 1 --order 0.99999999999999999999
refused "$law" --sensitivity 1 --order -3
refused "$law" --sensitivity 1 --order nan
refused "$law" --sensitivity 1 --order 2,,3
refused "$law" --sensitivity -1 --order 2
refused "$law" --sensitivity 1 --order 2 --times 3
refused "$law" --pure 1 --order 2
refused 'gausian(sigma=5)' --sensitivity 1 --order 2
refused 'osgt(m=1,sigma=1e150)' --sensitivity 1e-10 --order 2
refused 'osgt(m=1,sigma=1)' --l2 1 --order 2
