# Every example of every help text runs.
for command in audit budget calibrate compare law profile release renyi; do
    dpnoise help $command | sed -n '/^example/,$s/^  //p' >examples
    test "$(grep -c . examples)" -ge 2
    sh -eu examples >/dev/null
done
