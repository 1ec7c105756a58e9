dpnoise ''
