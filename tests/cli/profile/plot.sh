# A whole picture with every law in its legend, and nothing else in the directory.
dpnoise profile 'gaussian(sigma=4)' 'laplace(scale=2.828427)' --sensitivity 1 --epsilon 0.3 --plot p.svg | tail -n 1
grep -c '</svg>' p.svg
/usr/bin/python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("p.svg")'
grep -o -e '>gaussian(sigma=4)<' -e '>laplace(scale=2.82843)<' -e 'one answer, moved by at most 1; one row is added or removed; rings[^<]*' p.svg | sort | uniq -c
ls -A
