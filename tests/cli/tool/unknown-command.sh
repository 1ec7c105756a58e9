dpnoise lwa
