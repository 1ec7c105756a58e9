# Every example of every help text runs.
dpnoise help law | sed -n '/^example/,$s/^  //p' >examples
test "$(grep -c . examples)" -ge 2
sh -eu examples >/dev/null
