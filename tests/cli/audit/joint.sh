# K-norm noise: a plan with blocks, and by its text; what cannot be audited is refused with the code 2.
dpnoise calibrate blocks --epsilon 1 --sensitivities 1,1,1,100 --json >plan.json
dpnoise audit --plan plan.json --samples 1e5 | sed -n '1,2p'
dpnoise audit 'k-norm(ball=box,epsilon=1)' --sensitivities 1,2 --samples 1e5 | sed -n '1,2p'
dpnoise audit 'k-norm(ball=l2,epsilon=0.5)' --l2 2 --dim 3 --samples 1e4 | sed -n '1,2p'
printf '1,0\n0,1\n0.75,0.75\n' >hull
dpnoise audit 'k-norm(ball=hull,epsilon=1)' --vertices hull --samples 1e5 | sed -n '1,2p'
dpnoise audit 'k-norm(ball=l1,epsilon=1)' --l1 2 --dim 2 --samples 1e4 | sed -n '1,2p'
dpnoise calibrate k-norm --ball hull --epsilon 1 --vertices hull --json >hull.json
dpnoise audit --plan hull.json --samples 1e4 | sed -n '1,2p'
dpnoise audit 'k-norm(ball=box,epsilon=1)' --sensitivities 1,2 --epsilon 0.9 --samples 1e5 >failed 2>message || echo $?
cut -c 1-69 message
refused() { dpnoise audit "$@" || echo $?; }
refused 'k-norm(ball=box,epsilon=1)' --l2 1 --dim 2
refused 'k-norm(ball=box,epsilon=1)' --sensitivities 1,0
refused 'k-norm(ball=l2,epsilon=1)' --sensitivity 1 --dim 2
refused 'k-norm(ball=l1,epsilon=1)' --l2 1 --dim 2
refused 'k-norm(ball=hull,epsilon=1)' --sensitivity 1
refused 'k-norm(ball=box,epsilon=0)' --sensitivity 1
refused 'k-norm(ball=box)' --sensitivity 1
refused 'k-norm("' --sensitivity 1
