# What the curator is told: bad rows, values outside bounds and levels. Nothing is charged, and a release agrees.
printf 'region,income\nnorth,31000\neast,-5\nsouth,\nnorth,1e9\nwest,many\nsouth,7\n' >people.csv
ask() { dpnoise release people.csv "$@" || echo "exit code $?"; }
ask --mean income:0:40000 --by region --levels region=north,south --epsilon 1 --check
ask --mean income:0:40000 --by region --levels region=north,south --epsilon 1 --check --json
ask --mean income:0:40000 --missing skip --epsilon 1 --check | sed -n 1,2p
ask --count --by region --levels region=north,south,east,west --epsilon 1 --check | sed 1q
ls
# Lines that are no rows: ragged ones, and line ends in quotes, which need a promise.
printf 'a,b\n1,2\n3\n' >people.csv
ask --sum a:0:1 --epsilon 1 --check | sed -n 1,2p
printf 'a,b\n1,"x\ny"\n3,4\n' >people.csv
ask --sum a:0:1 --epsilon 1 --check | sed -n 1,2p
ask --sum a:0:1 --epsilon 1 --check --multiline | sed -n 1,2p
