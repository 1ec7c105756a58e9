#include "unit/random/laws.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const test_law test_laws[] = {
    {"gaussian(sigma=1)", -40},
    {"gaussian(sigma=1)", 0},
    {"gaussian(sigma=1e100)", 330},
    {"laplace(scale=1)", -40},
    {"laplace(scale=0.3)", 0},
    {"laplace(scale=1e-100)", -340},
    {"flipped-huber(alpha=0.001,gamma=1)", -40},
    {"flipped-huber(alpha=30,gamma=1)", -40},
    {"flipped-huber(alpha=1,gamma=1)", -1},
    {"osgt(m=3,sigma=6.3)", -40},
    {"osgt(m=0.001,sigma=1)", -3},
    {"osgt(m=30,sigma=1)", -10},
    {"huber(alpha=1,gamma=1)", -40},
    {"huber(alpha=0.001,gamma=1)", 5},
    {"huber(alpha=30,gamma=1)", -2},
    {"staircase(epsilon=1,sensitivity=1,gamma=0.4)", -40},
    {"staircase(epsilon=6,sensitivity=1,gamma=0.05)", -5},
    {"staircase(epsilon=0.01,sensitivity=1,gamma=0)", 3},
    {"truncated-laplace(scale=1,bound=9)", -40},
    {"truncated-laplace(scale=1,bound=0.001)", -15},
    {"truncated-laplace(scale=1,bound=1.7)", 0},
    {"subbotin(p=1.5,scale=1)", -40},
    {"subbotin(p=1000,scale=1)", -8},
    {"subbotin(p=1,scale=1)", -1},
    {"logistic(scale=1)", -40},
    {"logistic(scale=1)", 0},
    {"logistic(scale=1)", 3},
    {"discrete-gaussian(sigma=1)", 0},
    {"discrete-gaussian(sigma=0.3)", 0},
    {"discrete-gaussian(sigma=999999999999)", 0},
    {"discrete-laplace(scale=0.2)", 0},
    {"discrete-laplace(scale=10)", 0},
    {"discrete-laplace(scale=1000000000000)", 0},
    {"discrete-flipped-huber(alpha=3,gamma=1)", 0},
    {"discrete-flipped-huber(alpha=0.01,gamma=10)", 0},
    {"discrete-flipped-huber(alpha=30000,gamma=1000)", 0},
    {"discrete-osgt(m=3,sigma=6.3)", 0},
    {"discrete-osgt(m=0.5,sigma=0.5)", 0},
    {"discrete-osgt(m=100000000,sigma=1000000000)", 0},
    {"truncated-geometric(epsilon=0.1,n=18,theta=0.75)", 0},
    {"truncated-geometric(epsilon=2,n=1,theta=0.001)", 0},
    {"truncated-geometric(epsilon=1e-09,n=10000000000,theta=0.5)", 0},
    {NULL, 0},
};

dpn_law law_of(const char *text) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) != DPN_OK) fail_msg("%s: %s", text, why.sentence);
    return law;
}

void reference_of(ref_law *reference, const dpn_law *law, mpfr_prec_t more) {
    const struct ref_family *family = ref_find(dpn_law_family(law));
    if (!family) fail_msg("family '%s' has no reference", dpn_law_family(law));
    ref_make(reference, family, law->parameter, more);
}
