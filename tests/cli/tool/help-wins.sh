# Help is help, whatever stands beside it.
dpnoise law 'nonsense' --at x --help | head -n 1
