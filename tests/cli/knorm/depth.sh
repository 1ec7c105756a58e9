# Closed forms: P(Gamma(2) > x) = (1 + x) e^-x; the variance along (1, 1) of linf(1,2) is 2 3/|e|^2 with |e| = 1/sqrt 2; the volume of t K is 8 t^2.
dpnoise knorm depth 'linf(1,2)' --at 1,1 --prob 0.5 --json |
    near depth=0.73575888234288464319 conditional_variance=12 concentration.0.radius=1.6783469900166605 concentration.0.volume=22.534788951183877
dpnoise knorm depth 'linf(1,2)' --at 1,1 --prob 0.5,0.95
dpnoise knorm power --level 0.05,0.5 --epsilon 2
dpnoise knorm power --level 0.05 --epsilon 0.5 --json | near power.0.printed=0.08243606353500641
dpnoise knorm entropy k2 --answers 3 --json | near information_gap=-2.283414346005772
# Draws that are not seeded: what is printed of them is their number.
dpnoise knorm check 'l1(1,2)' --count 200 | head -n 1
dpnoise knorm check k3 --count 100 --json | python3 -c 'import json, sys; print(*json.load(sys.stdin))'
printf '1 0\n1 1\n' >matrix
dpnoise knorm compare linf l1 --linear matrix --low 0,0 --high 1,1 | sed -n 3,5p | cut -c 1-30
dpnoise knorm compare k2 --monomials 'x1,2*x1^2' --moves 50 2>&1 | sed -n 1,2p
