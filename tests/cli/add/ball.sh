# Balls that say how far the answers move together: no other set, pure noise, the charge before a number is read, and refusals that cost nothing.
add() { dpnoise add --epsilon 1 "$@" || echo "exit code $?"; }
echo 10 20 | add --knorm k2 --json | near pure=true epsilon=1 delta=0 ball=k2 family=k-norm plan.0.epsilon=1 sensitivity.dimension=2 relation=add-remove
echo 10 20 30 | add --knorm k3 --relation replace --json | near relation=replace sensitivity.dimension=3
# The noise of this epsilon is below half a step. Whole answers stay where they are, and on the grid of 1 others are rounded.
echo 10 20 30 | dpnoise add --epsilon 1e9 --knorm k3 --whole | head -n 3
seq 1 8 | dpnoise add --epsilon 1e9 --knorm 'regression(2)' --grid 1 | head -n 8 | paste -s -d ' '
echo 1.25 2.5 3 4 | dpnoise add --epsilon 1e9 --knorm 'k2 * l1(1,2)' --grid 0.25 | head -n 4 | paste -s -d ' '
echo 1 2 | dpnoise add --epsilon 1e9 --knorm 'k2 & l2' --dim 2 --grid 0.5 | sed -n '1,2p;5,7p'
dpnoise budget init people --epsilon 2 --ledger l.db >/dev/null
for i in 1 2 3; do echo 1 2 | dpnoise add --epsilon 1 --knorm k2 --dataset people --ledger l.db --json >added 2>/dev/null || echo "refused, exit code $?"; done
dpnoise budget show people --ledger l.db --json | near charges=2
dpnoise budget init others --epsilon 2 --ledger l.db >/dev/null
for ball in 'k2 &' 'k9(1)' 'regression(0)' 'regression(x)' 'regression(1000)' 'l2(1,0)' 'k2 & k3' 'image:absent:k2' 'l1.5' 'l1(1,2'; do
    echo 1 2 | add --knorm "$ball" --dataset others --ledger l.db 2>&1
done
for option in --sensitivity=1 --l2=1 --delta=1e-6 --objective=mae --weights=1,2 --identical --dim=3; do
    echo 1 2 | add --knorm k2 "$option" --dataset others --ledger l.db 2>&1
done
dpnoise budget show others --ledger l.db --json | near charges=0
echo 1 | add --knorm k2 2>&1
echo 1.5 2 | add --knorm k2 --whole 2>&1
