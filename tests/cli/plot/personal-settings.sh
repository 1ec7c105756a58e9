# What a person sets for gnuplot does not reach our pictures.
dpnoise law 'gaussian(sigma=1)' --plot plain.svg >/dev/null
echo 'set terminal dumb; set title "mine"; set label "mine" at graph 0.5,0.5; set grid y; set border 15' >"$HOME/.gnuplot"
GNUTERM=dumb dpnoise law 'gaussian(sigma=1)' --plot again.svg >/dev/null
rm "$HOME/.gnuplot"
cmp plain.svg again.svg
