/* The seeded source of the room random serves the tests of this room too. */
#include "unit/random/seeded.c"
