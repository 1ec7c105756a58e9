/* Those of the room random serve the tests of this room too. */
#include "unit/random/fit.c"
#include "unit/random/gamma-law.c"
#include "unit/base/wide-real.c"
