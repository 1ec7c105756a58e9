dpnoise sandwich
