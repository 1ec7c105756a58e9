# What is printed reads back to the same doubles: the law's text gives the same object again, and arguments are echoed.
dpnoise law 'gaussian(sigma=0.1)' --at 0.30000000000000004,5e-324,1.7976931348623157e308 --json >object
near 0 law='gaussian(sigma=0.1)' at.0.t=0.3000000000000000444089209850062616169452667236328125 <object
/usr/bin/python3 -c '
import json, sys
got = [p["t"] for p in json.load(open("object"))["at"]]
assert got == [0.30000000000000004, 5e-324, 1.7976931348623157e308], got'
law=$(dpnoise law 'laplace(scale=0.12345678901234567890123456789)' --json | sed 's/.*"law": "\([^"]*\)".*/\1/')
echo "$law"
dpnoise law 'laplace(scale=0.12345678901234567890123456789)' --at 3 --json >one
dpnoise law "$law" --at 3 --json >two
cmp one two
