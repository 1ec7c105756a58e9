# Two vertices, in all the ways of writing them: the worse one decides.
cat >moves <<'END'
# count, sum
1, 0.5

  0.25   2   # blanks
END
law='osgt(m=3,sigma=6.324555320336759)'
dpnoise profile "$law" --vertices moves --epsilon 1 --json >hull
near argument=vertices sensitivity.vertices=2 sensitivity.dimension=2 <hull
dpnoise profile --law "$law" --sensitivity 0.25 --law "$law" --sensitivity 2 --epsilon 1 --json >worse
for member in delta delta_lower; do
    sed "s/.*\"$member\": \([^,]*\),.*/\1/" hull >one
    sed "s/.*\"$member\": \([^,]*\),.*/\1/" worse | cmp one -
done
