refused() { dpnoise profile 'osgt(m=3,sigma=6)' "$@" --epsilon 1 || echo $?; }
printf '1 2\n1 2 3\n' >uneven
printf '1 2\n1,,2\n' >empty
printf '# nothing\n' >nothing
printf '1 2\0003\n' >bytes
refused --sensitivity -1
refused --sensitivity 1,2
refused --sensitivity 1 --sensitivity 2
refused --sensitivity nan
refused --sensitivity inf
refused --sensitivities 1,-1
refused --sensitivities 1,2 --dim 3
refused --sensitivities 1,2 --sensitivity 1
refused --sensitivity 1 --dim 0
refused --sensitivity 1 --dim 2.5
refused --sensitivity 1 --dim 1e19
refused --linf 1 --max-changed 0
refused --l1 0
refused --l2 -1
refused --linf 1
refused --l2 1
refused --sensitivity 1 --l2 2
refused --max-changed 2
refused --vertices uneven
refused --vertices empty
refused --vertices nothing
refused --vertices bytes
