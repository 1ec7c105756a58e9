dpnoise law 'gaussian(sigma=4)' 'laplace(scale=2.828427)' --plot laws.svg | tail -n 1
# A picture, whole, with both laws in the legend and both scales; nothing else in the directory.
head -c 5 laws.svg
echo
grep -c '</svg>' laws.svg
grep -o -e '>gaussian(sigma=4)<' -e '>laplace(scale=2.82843)<' -e 'density, log scale' laws.svg | sort | uniq -c
/usr/bin/python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("laws.svg")'
ls -A
