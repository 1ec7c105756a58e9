dpnoise --verbose law
