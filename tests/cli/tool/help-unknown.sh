dpnoise help lav
