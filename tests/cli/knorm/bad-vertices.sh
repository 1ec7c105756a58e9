# Refused with one sentence; the points are in a file.
try() { dpnoise knorm "$@" && echo "no refusal: $*" || echo "$?"; }
printf '1 2\n2 4\n' >flat
printf '1 x\n' >bad
printf '1 2\n1 nan\n' >nan
try volume hull:flat
try volume hull:bad
try volume hull:nan
