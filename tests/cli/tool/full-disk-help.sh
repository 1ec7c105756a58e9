dpnoise --help >/dev/full
