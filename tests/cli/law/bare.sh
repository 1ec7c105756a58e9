# A newcomer who types nothing more sees what there is.
dpnoise law >bare
dpnoise law --list | cmp - bare
grep -A 1 -x -e '  gaussian(sigma=...)' -e '  laplace(scale=...)' bare
