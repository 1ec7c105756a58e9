# Whole answers stay whole, whatever separates them and however they are written.
printf ' 120,45\t8e0\r\n7.0 ' | dpnoise add --epsilon 0.5 --linf 1 --dim 4 --max-changed 1 --whole >out
sed -n '1,4s/^-*[0-9][0-9]*$/whole/p' out
sed -n '/^$/,$p' out
# A promise that is broken is bad data.
echo 1.5 | dpnoise add --epsilon 1 --sensitivity 1 --whole || echo $?
# Noise on the integers rounds what is not promised to be whole.
echo 1.5 | dpnoise add --epsilon 40 --sensitivity 0.25 --family discrete-laplace | head -n 1
