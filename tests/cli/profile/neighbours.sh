# Relation and unit are printed as given, and change no number.
dpnoise profile 'gaussian(sigma=5)' --sensitivity 1 --epsilon 1 --json | near relation=replace unit=row >/dev/null
dpnoise profile 'gaussian(sigma=5)' --sensitivity 1 --epsilon 1 --relation add-remove --unit person --json |
    near relation=add-remove unit=person
for relation in replace add-remove; do
    for unit in row person; do
        dpnoise profile 'gaussian(sigma=5)' --sensitivity 1 --epsilon 1 --relation $relation --unit $unit | sed -n '2p;$p'
    done
done
dpnoise profile --pure 1 --epsilon 1 --unit person | tail -n 1
