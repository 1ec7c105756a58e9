# The coordinates' own sensitivities: l-infinity inside l2 inside l1.
printf '2 2\n2 -2\n' >space
dpnoise knorm compare l1 l2 linf --space space | sed -n '2,$p'
