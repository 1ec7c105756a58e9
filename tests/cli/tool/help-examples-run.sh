# Every example of every help text runs.
if [ -n "${DPN_FEW:-}" ]; then echo "skip: each command has cases of its own for sanitizers" >&2; exit 77; fi
for command in ask audit budget calibrate compare convert law profile release renyi; do
    dpnoise help $command | sed -n '/^example/,$s/^  //p' >examples
    test "$(grep -c . examples)" -ge 2
    sh -eu examples >/dev/null
done
