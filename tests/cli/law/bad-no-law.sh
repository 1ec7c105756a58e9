# An empty variable in a script is not a wish for the list of families.
dpnoise law --at 3
