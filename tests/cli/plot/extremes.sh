# Scales at both ends of the domain, and laws of very different width in one picture.
dpnoise law 'gaussian(sigma=1e-150)' 'laplace(scale=1e-150)' --plot small.svg >/dev/null
dpnoise law 'gaussian(sigma=1e150)' 'laplace(scale=1e150)' --plot large.svg >/dev/null
dpnoise law 'gaussian(sigma=1)' 'laplace(scale=1e6)' --plot unequal.svg >/dev/null
for file in small large unequal; do grep -c '</svg>' $file.svg; done
