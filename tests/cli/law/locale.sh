# No locale changes what is read or printed. de_DE writes 0,5.
dpnoise law 'gaussian(sigma=0.5)' --at 0.25 --prob 0.025 >plain
for locale in $(locale -a) de_DE.UTF-8; do
    LC_ALL=$locale dpnoise law 'gaussian(sigma=0.5)' --at 0.25 --prob 0.025 2>&1 | cmp - plain
done
