/* Those of base serve the tests of this room too. */
#include "unit/base/wide-real.c"
