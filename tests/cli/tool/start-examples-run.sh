# The first screen teaches: every command on it runs.
dpnoise 2>screen || test $? = 2
awk '/^  (dpnoise|echo)/ { command = 1 } command { print; command = /\\$/ }' screen >examples
grep -c '^  \(dpnoise\|echo\)' examples
sh -eu examples >said 2>&1
grep -c 'nothing was spent' said
