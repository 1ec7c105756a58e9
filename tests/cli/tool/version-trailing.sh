dpnoise --version law
