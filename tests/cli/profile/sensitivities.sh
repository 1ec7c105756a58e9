# A box of different bounds is the composition of its coordinates; bounds of 0 do not count.
dpnoise profile 'osgt(m=2,sigma=5)' --sensitivities 1,0.5,0,1 --epsilon 1 --json >box
dpnoise profile --law 'osgt(m=2,sigma=5)' --sensitivity 1 --times 2 --law 'osgt(m=2,sigma=5)' --sensitivity 0.5 --epsilon 1 \
    --json >parts
for member in delta delta_lower argument; do
    sed "s/.*\"$member\": \([^,]*\),.*/\1/" box >one
    sed "s/.*\"$member\": \([^,]*\),.*/\1/" parts | cmp one -
done
