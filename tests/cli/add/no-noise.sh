# An answer that cannot move gets no noise, and is rounded to the finest grid; a grid that is given is kept.
echo 1000000000.3 5 | dpnoise add --epsilon 1 --sensitivities 0,1 --json >a
/usr/bin/python3 -c 'import json; o = json.load(open("a")); print(o["values"][0], o["grid"], o["plan"][0]["noise"])'
echo 7.77 | dpnoise add --epsilon 1 --sensitivity 0 --grid 0.25 | head -n 1
# Twice the same numbers, twice other noise.
for i in 1 2; do echo 5 5 5 | dpnoise add --epsilon 1 --sensitivity 1 --dim 3 | head -n 3 | tr '\n' ' ' && echo; done | sort -u | wc -l
