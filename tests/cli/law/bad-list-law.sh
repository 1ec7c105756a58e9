dpnoise law --list gaussian
