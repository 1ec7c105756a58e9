# With standard streams closed the picture must not be opened in their place.
code=0
dpnoise law 'gaussian(sigma=1)' --plot p.svg <&- >&- || code=$?
grep -q '</svg>' p.svg
exit $code
