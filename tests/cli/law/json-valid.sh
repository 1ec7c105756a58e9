# Valid for a strict reader, which knows no NaN or Infinity, and one line.
dpnoise law 'gaussian(sigma=1)' 'laplace(scale=3)' --at -inf,0,1e300,inf --prob 0,1e-300,1 --mgf 1e300,-5,0 \
    --json >object
test "$(wc -l <object)" = 1
/usr/bin/python3 -m json.tool object >/dev/null
if grep -q -i -w nan object; then exit 1; fi
near laws.0.at.0.t=-inf laws.0.at.3.log_sf=-inf laws.1.quantiles.0.t=-inf laws.1.quantiles.2.t=inf \
    laws.1.mgf.1.log_mgf=inf laws.1.sub_gaussian=inf laws.0.support=inf laws.0.integer=false \
    laws.1.log_concave=true <object
