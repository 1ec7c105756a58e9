# A proposal takes levels from the data, loudly, and never a bound; nothing is made.
printf 'id,age,region,"odd, name",note\n1,31,north,x,\n2,,south,"it'"'"'s",\n' >people.csv
for i in $(seq 30); do echo "$i,$i,north,y,word $i"; done >>people.csv
dpnoise register people people.csv --propose
dpnoise register people people.csv --propose --json
ls
