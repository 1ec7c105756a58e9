# Bad options: code 2, nothing printed. Bad numbers: code 3, nothing printed.
add() { dpnoise add "$@" || echo $?; }
echo 1 | add
echo 1 | add --epsilon 1
echo 1 | add --epsilon 1 file.txt --sensitivity 1
echo 1 | add --epsilon 0 --sensitivity 1
echo 1 | add --epsilon nan --sensitivity 1
echo 1 | add --epsilon 1 --delta 1 --sensitivity 1
echo 1 | add --epsilon 1 --sensitivity -1
echo 1 | add --epsilon 1 --sensitivity 1e-200
echo 1 | add --epsilon 1 --sensitivity 1e300
echo 1 | add --epsilon 1 --sensitivity 1 --family gausian
echo 1 | add --epsilon 1 --sensitivity 1 --family gaussian
echo 1 | add --epsilon 1 --sensitivity 1 --family knorm
echo 1 | add --epsilon 1 --sensitivity 1 --knorm cube
echo 1 | add --epsilon 1 --sensitivity 1 --knorm hull
echo 1 | add --epsilon 1 --sensitivity 1 --knorm box --family laplace
echo 1 | add --epsilon 1 --sensitivity 1 --grid 0.3
echo 1 | add --epsilon 1 --sensitivity 1 --grid 0
echo 1 | add --epsilon 1 --sensitivity 1 --grid 1e-18
echo 1 | add --epsilon 1 --sensitivity 1 --grid 0.5 --whole
echo 1 | add --epsilon 1 --sensitivity 1 --times 2
echo 1 | add --epsilon 1 --mse 2 --sensitivity 1
printf '1 2\n' >v
echo 1 2 | add --epsilon 1 --vertices v --knorm hull:v
echo 1 2 | add --epsilon 1 --knorm hull:absent
echo 1 2 | add --epsilon 1 --vertices v
: | add --epsilon 1 --sensitivity 1
echo ten | add --epsilon 1 --sensitivity 1
echo 1 2 | add --epsilon 1 --sensitivity 1
echo 1 | add --epsilon 1 --sensitivity 1 --dim 2
echo 1 nan 3 | add --epsilon 1 --sensitivity 1 --dim 3
echo 1e999999999 | add --epsilon 1 --sensitivity 1
echo 1e-999999999 | add --epsilon 1 --sensitivity 1
echo 1e15 | add --epsilon 1 --sensitivity 1
printf '1\0002\n' | add --epsilon 1 --sensitivity 1
head -c 2000 /dev/zero | tr '\0' 1 | add --epsilon 1 --sensitivity 1
add --epsilon 1 --sensitivity 1 <&-
echo ten | add --epsilon 1 --sensitivity 1 --json
