# Each of these is refused with one sentence; nothing is printed or written.
refused() { dpnoise compare "$@" || echo $?; }
refused
refused --sensitivity 1
refused gaussian --epsilon 1 --delta 1e-6 --sensitivity 1
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --shape 2
refused --epsilon 1 --delta 2 --sensitivity 1
refused --epsilon 1 --delta 1e-400 --sensitivity 1
refused --epsilon 1 --delta 1e-6,1e-7 --sensitivity 1
refused --epsilon -0.5 --delta 1e-6 --sensitivity 1
refused --epsilon one --delta 1e-6 --sensitivity 1
refused --epsilon '' --delta 1e-6 --sensitivity 1
refused --epsilon 0x1 --delta 1e-6 --sensitivity 1
refused --epsilon 1,5 --delta 1e-6 --sensitivity 1
refused --epsilon
refused --epsilon --delta 1e-6
refused --epsilon 0 --sensitivity 1
refused --epsilon 1 --delta 1e-6 --dim -3
refused --epsilon 1 --delta 1e-6 --dim 1e30
refused --epsilon 1 --delta 1e-6 --max-changed 0
refused --epsilon 1 --delta 1e-6 --sensitivities 1,x
refused --epsilon 1 --delta 1e-6 --sensitivities 1,,2
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --sensitivities 1,2
refused --epsilon 1 --delta 1e-6 --linf 0
refused --epsilon 1 --delta 1e-6 --l2 1
refused --epsilon 1 --delta 1e-6 --vertices missing
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --condition none
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --objective MSE
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --weights 1,2
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --times 1e20
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --unit cow
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --plot p.jpg
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --plot missing/p.svg
refused --epsilon 1 --interval95 3 --sensitivity 1
refused --mse 1 --mse 2 --sensitivity 1
refused --mae 0 --sensitivity 1
refused --mse inf --sensitivity 1
refused --mse 1 --delta 1 --sensitivity 1
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --plan p.json
refused --epsilon 1 --delta 1e-6 --sensitivity 1 --json=yes
ls -A
