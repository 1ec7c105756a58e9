dpnoise loss 'flipped-huber(alpha=2,gamma=1)' 'huber(alpha=1,gamma=1)' --shift 1 --at 0.5,2 --epsilon 0.5,1.9,2.1 --r-inverse 0.25,3
dpnoise loss 'osgt(m=1,sigma=2)' --shift=-3 --at 2 --orlicz 0,0.5
dpnoise loss 'subbotin(p=3,scale=1)' --shift 1 --at 0.5
