# Refused with one sentence; the points are in a file.
refused() { dpnoise profile 'osgt(m=3,sigma=6)' "$@" --epsilon 1 || echo $?; }
printf '1 2\n1 2 3\n' >uneven
printf '1 2\n1,,2\n' >empty
printf '# nothing\n' >nothing
printf '1 2\0003\n' >bytes
refused --vertices uneven
refused --vertices empty
refused --vertices nothing
refused --vertices bytes
