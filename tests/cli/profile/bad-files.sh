# What cannot be read or written is the code 3.
refused() { dpnoise profile "$@" --epsilon 1 || echo $?; }
mkdir directory
refused --import absent
refused --import directory
refused 'gaussian(sigma=5)' --vertices absent
refused --pure 1 --export absent/parts
refused --pure 1 --export directory
refused --pure 1 --plot absent/p.svg
ls -A . directory
