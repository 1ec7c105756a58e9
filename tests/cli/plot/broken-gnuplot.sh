# One that fails, one that does not read, one that writes nothing, one that is killed: no picture, the old one stays.
mkdir bin
PATH=$PWD/bin:$PATH
echo old >laws.svg
try() {
    printf '#!/bin/sh\n%s\n' "$1" >bin/gnuplot
    chmod +x bin/gnuplot
    code=0
    dpnoise law 'gaussian(sigma=1)' --plot laws.svg || code=$?
    echo "$code $(cat laws.svg) $(ls -A | tr '\n' ' ')"
}
try 'cat >/dev/null; echo partial; echo "line 3: unknown or ambiguous terminal name" >&2; exit 1'
try 'exit 1'
try 'cat >/dev/null'
try 'kill -9 $$'
