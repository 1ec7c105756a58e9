dpnoise law ''
