command -v gnuplot >/dev/null || { echo "skip: no gnuplot" >&2; exit 77; }
dpnoise loss 'flipped-huber(alpha=2,gamma=1)' 'discrete-gaussian(sigma=2)' --shift 1,3 --plot loss.svg | tail -n 1
grep -c 'shift 3' loss.svg
dpnoise loss 'truncated-laplace(scale=1,bound=3)' --shift 1 --plot cut.svg --json | grep -c '"affine": null'
