# Refused with one sentence; the points are in a file.
add() { dpnoise add "$@" || echo $?; }
printf '1 2\n' >v
echo 1 2 | add --epsilon 1 --vertices v --knorm hull:v
echo 1 2 | add --epsilon 1 --vertices v
