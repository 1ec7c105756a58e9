# An old picture is replaced, with the usual permissions.
umask 027
echo old >p.svg
dpnoise law 'gaussian(sigma=1)' --plot p.svg >/dev/null
head -c 5 p.svg
echo
ls -l p.svg | cut -c 1-10
