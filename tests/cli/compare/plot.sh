# Two panels in one picture: error against epsilon with a curve for every family, and densities of the best.
dpnoise compare --epsilon 1 --sensitivity 1.5 --plot p.svg | tail -n 1
/usr/bin/python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("p.svg")'
grep -o -e '>mean squared error against epsilon<' -e '>density, log scale<' -e '>staircase: staircase([^<]*' -e '>logistic: ' p.svg | sed 's/(.*//' | sort | uniq -c
dpnoise compare --interval95 5 --sensitivity 1 --plot q.pdf --json | near plot=q.pdf
head -c 5 q.pdf
echo
dpnoise compare --epsilon 0 --delta 0.1 --sensitivity 1 --plot zero.svg | tail -n 1
ls -A
