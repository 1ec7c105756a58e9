# The numbers of standard input are private: no failure repeats one, in words or as JSON, nor tells how many there are.
for numbers in '0 4711.5' '0 47e-11' '0 4711e15' '0 4711e999999' '0 4711x' 4711 '1 2 3 4711'; do
    for json in '' --json; do
        # shellcheck disable=SC2086 # no word if it is empty
        echo "$numbers" | dpnoise add --epsilon 1 --sensitivity 1 --dim 2 --whole $json >>said 2>&1 && echo "taken: $numbers"
    done
done
grep -E "47|has [0-9]+ value" said || echo nothing was repeated
rm said
