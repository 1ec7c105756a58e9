/* What a pure guarantee implies: randomised response is the worst mechanism of all that are epsilon-DP. */
#ifndef DPN_PRIVACY_PURE_H
#define DPN_PRIVACY_PURE_H

/* The Renyi divergence of order a > 1, rounded up; epsilon >= 0. a may be infinite. */
double dpn_pure_renyi_upper(double epsilon, double order);

/* The same rounded down, and of order 1 the relative entropy. Of finite orders and epsilons. */
double dpn_pure_renyi_lower(double epsilon, double order);

#endif
