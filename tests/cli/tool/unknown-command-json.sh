dpnoise sandwich --json
