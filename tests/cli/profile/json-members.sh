# The members in their order: one number, several, several laws, a composition, a picture.
members='import json, sys
d = json.load(sys.stdin)
print(*d)
for part in "profile", "laws", "parts": print(*[" ".join(x) for x in d.get(part, [])][:1])'
show() { dpnoise profile "$@" --json | /usr/bin/python3 -c "$members" | grep .; }
show 'gaussian(sigma=1)' --sensitivity 1 --epsilon 1
show 'gaussian(sigma=1)' --sensitivity 1 --delta 1e-6
show 'gaussian(sigma=1)' --sensitivity 1 --epsilon 1 --epsilon 2,3
show 'gaussian(sigma=1)' 'laplace(scale=1)' --sensitivity 1 --delta 1e-6
show --law 'gaussian(sigma=1)' --sensitivity 1 --epsilon 1 --export parts
show --pure 1 --plot p.svg
