# A column that is not there: the columns are named to the curator who gives the file, as many as fit; those of registered data are not.
unset DPNOISE_LEDGER
ask() { dpnoise release "$@" --epsilon 1 2>&1 || echo "exit $?"; }
printf 'id,income\n1,2\n' >people.csv
ask people.csv --sum wealth:0:1
ask people.csv --sum inc:0:1
# A short name within a long word is not what was meant.
printf 'age,income\n1,2\n' >ages.csv
ask ages.csv --sum target:0:1
rm ages.csv
ls -A
{
    seq -f 'column%g' -s , 1 200
    seq -s , 1 200
} >wide.csv
ask wide.csv --sum wealth:0:1
printf '%0119d\n1\n' 0 | tr 01 xx >long.csv
ask long.csv --sum wealth:0:1 | tr -s x
printf '%0120d\n1\n' 0 | tr 01 xx >long.csv
ask long.csv --sum wealth:0:1 | tr -s x
printf 'a\033[31m,b\n1,2\n' >hostile.csv
ask hostile.csv --sum wealth:0:1
# A file without a header: its first row is somebody.
printf 'ada,31000\nbob,42000\n' >bare.csv
ask bare.csv --sum bo:0:1
ask bare.csv --sum wealth:0:1
dpnoise register people people.csv --number income:0:200000 --epsilon 1 >/dev/null
printf 'id,salary\n1,2\n' >people.csv
ask people --sum income
