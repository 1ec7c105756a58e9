dpnoise
