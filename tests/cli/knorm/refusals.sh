# Every refusal is one sentence and a code.
try() { dpnoise knorm "$@" && echo "no refusal: $*" || echo "$?"; }
printf '1 2\n2 4\n' >flat
printf '1 x\n' >bad
printf '1 2\n1 nan\n' >nan
try
try volumes l1
try volume
try volume l1
try volume l0.5 --dim 2
try volume 'l1(1,0)'
try volume 'l1(1,2'
try volume 'l1(1,2)' --dim 3
try volume ball --dim 2
try volume hull:flat
try volume hull:bad
try volume hull:nan
try volume hull:none
try volume 'regression(0)'
try volume "regression(30)" --points 1000
try norm l2 --dim 2 --at 1
try norm l2 --dim 2
try compare l1 k3 --dim 2
try sample k2 --grid 0.3
try sample l1 --dim 2 --epsilon 0
try sample 'regression(40)'
try compare l1 --dim 3 --plot picture.svg --points 100
try volume l1 --dim 2 --plot picture.svg
try volume l1 k2
