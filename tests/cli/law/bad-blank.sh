dpnoise law '  '
