dpnoise help law law
