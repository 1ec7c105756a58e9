# Equal texts are equal numbers: the steps of a staircase are as wide as the move, whichever double is nearest to the decimal (below 0.3
# and 0.7, above 0.1), and however the law is written; a move that is larger in the last digit has the loss of two steps.
for s in 0.1 0.2 0.3 0.7 1.1 1e-3 123456.789; do
    dpnoise profile "staircase(epsilon=1,sensitivity=$s,gamma=0.4)" --sensitivity $s --delta 0 --json | near epsilon=1
    dpnoise profile --law "staircase( gamma=0.4, sensitivity = $s ,epsilon=1 )" --sensitivity $s --delta 0 --json | near 1e-12 epsilon=1
done
dpnoise profile 'staircase(epsilon=1,sensitivity=0.3,gamma=0.4)' --sensitivity 0.3000000000000001 --delta 0 --json | near epsilon=2
dpnoise profile 'staircase(epsilon=1,sensitivity=0.3,gamma=0.4)' --sensitivity 0.2999999999999999 --delta 0 --json | near epsilon=1
# The noise that is drawn and looked at is the same law.
dpnoise law 'staircase(epsilon=1,sensitivity=0.3,gamma=0.4)' --json | sed 's/.*"law": "\([^"]*\)".*/\1/'
