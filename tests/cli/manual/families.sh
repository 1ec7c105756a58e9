# Every family, with its parameters, stands in the manual.
dpnoise law --list | sed -n 's/^  \([a-z-]*(.*)\)$/\1/p' | sed 's/=\.\.\.//g' >families
while read -r family; do
    grep -q -F -e "$family" "$CASES/../../man/dpnoise-law.1" || echo "$family"
done <families
