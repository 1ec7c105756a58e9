/* What a pure guarantee implies. docs/proofs/privacy/convert.md */
#include "privacy/convert/pure.h"

#include "privacy/convert/upper.h"

/* D_a = log(cosh((2a-1) e/2)/cosh(e/2))/(a-1). The difference of the two hyperbolic cosines is a product, so that
 * nothing cancels for small epsilon. Their arguments are rounded, which costs as many ulps as they are large: for large
 * ones D_a is epsilon minus a correction of at most log(2)/(a-1). */
static double divergence(double epsilon, double order) {
    double less = order - 1;
    if (order * epsilon <= 60)
        return log1p(2 * sinh(order * epsilon / 2) * sinh(less * epsilon / 2) / cosh(epsilon / 2)) / less;
    double tails = exp(-epsilon) / (1 + exp(-epsilon));
    return epsilon + log1p(tails * expm1(-2 * less * epsilon)) / less;
}

double dpn_pure_renyi_upper(double epsilon, double order) {
    if (isinf(order) || isinf(epsilon) || epsilon == 0) return epsilon;
    return fmin(epsilon, dpn_upper(divergence(epsilon, order)));
}

double dpn_pure_renyi_lower(double epsilon, double order) {
    if (epsilon == 0) return 0;
    return dpn_lower(order == 1 ? epsilon * tanh(epsilon / 2) : divergence(epsilon, order));
}
