dpnoise calibrate osgt --epsilon 1 --sensitivity 1 --json
