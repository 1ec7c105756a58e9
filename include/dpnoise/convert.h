/* dpnoise/convert.h - from one notion of privacy to another.
 *
 * A guarantee is one of
 *
 *     pure(epsilon=E)                  the privacy loss is at most E
 *     approximate(epsilon=E,delta=D)   P(A) <= e^E Q(A) + D for all events A
 *     zcdp(xi=X,rho=R)                 Renyi divergence of every order a > 1 at most X + a R; without xi, X = 0
 *     renyi(order=A,divergence=V)      Renyi divergence of order A at most V
 *     gdp(mu=M)                        no easier to tell apart than N(0,1) and N(M,1)
 *
 * each for all neighbouring tables, in both directions. Several guarantees may hold of one mechanism at once (a list of
 * Renyi divergences); a conversion takes them together and gives the best that one of them implies.
 *
 * Results are upper bounds: rounded against the analyst, by some 1e-12 of the terms that they are made of. `exact` tells whether no
 * smaller number follows from the guarantee alone; otherwise the result is a bound and a smaller one may be true.
 * `rule` names the theorem. Proofs: docs/proofs/privacy/convert.md.
 */
#ifndef DPNOISE_CONVERT_H
#define DPNOISE_CONVERT_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dpn_notion { DPN_PURE, DPN_APPROXIMATE, DPN_ZCDP, DPN_RENYI, DPN_GDP } dpn_notion;

/* A guarantee: the members of its notion, the others 0. */
typedef struct dpn_guarantee {
    dpn_notion notion;
    double epsilon, delta;    /* pure, approximate */
    double xi, rho;           /* zcdp */
    double order, divergence; /* renyi; an order of +inf is the largest loss */
    double mu;                /* gdp */
} dpn_guarantee;

/* Read a guarantee written as above, of which consequences are asked: what bounds is read as the smallest double not
 * below the text, an order as the largest not above it. A target, of which one asks what it needs, is read the other
 * way round. Parameters come in any order.
 * Errors   DPN_EPARSE, DPN_EDOMAIN. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_guarantee_parse(dpn_guarantee *out, const char *text, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_guarantee_parse_target(dpn_guarantee *out, const char *text, dpn_error *why);

/* Write it with the fewest digits that identify its doubles. Reading that may give a neighbouring double, on the safe
 * side.
 * Returns  text. */
enum { DPN_GUARANTEE_TEXT_SIZE = 128 };
DPN_API char *dpn_guarantee_print(char text[DPN_GUARANTEE_TEXT_SIZE], const dpn_guarantee *guarantee);

/* By which theorem. The first four may be asked for, the others are what a result reports. */
typedef enum dpn_rule {
    DPN_RULE_TIGHTEST,               /* the one that gives the least */
    DPN_RULE_BUN_STEINKE,            /* zCDP: xi + rho + 2 sqrt(rho log(1/delta)); pure to zCDP: epsilon^2/2 */
    DPN_RULE_CANONNE_KAMATH_STEINKE, /* Renyi, and zCDP at its best order: Proposition 12 */
    DPN_RULE_OPTIMAL,                /* the least that a Renyi divergence implies, and zCDP at its best order or at 1 */
    DPN_RULE_RANDOMISED_RESPONSE,    /* pure, approximate: the worst mechanism is randomised response */
    DPN_RULE_GAUSSIAN,               /* Gaussian DP: the profile of the Gaussian */
    DPN_RULE_DEFINITION,             /* the guarantee says so itself */
    DPN_RULE_GROUP,                  /* a chain of neighbours */
    DPN_RULE_NEEDED,                 /* the other way round: what has to be shown to have the guarantee given */
} dpn_rule;

/* "tightest", "bun-steinke", "canonne-kamath-steinke", "optimal", ...; where the theorem stands. NULL past the end. */
DPN_API const char *dpn_rule_name(dpn_rule rule);
DPN_API const char *dpn_rule_theorem(dpn_rule rule);

typedef struct dpn_conversion {
    dpn_guarantee guarantee;
    double log_delta; /* log of the delta of an approximate guarantee, rounded up, also below the smallest double */
    double order;     /* the order that gave the result, 0 if none did */
    bool exact;
    dpn_rule rule;
} dpn_conversion;

/* The delta of (epsilon, delta)-privacy that follows from guarantees which all hold.
 * Domain   epsilon >= 0 and finite; count >= 1.
 * Accuracy delta is at most 1; relative error of the bound about 1e-12 (of the optimal rule, which is found by search,
 *          1e-9).
 * Errors   DPN_EDOMAIN; DPN_EUNSUPPORTED if the rule says nothing about any of the guarantees. On error *out is not
 *          written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_to_delta(dpn_conversion *out, const dpn_guarantee *from, size_t count,
                                                       double epsilon, dpn_rule rule, dpn_error *why);

/* The epsilon of (epsilon, delta)-privacy that follows from them; +inf if none does.
 * Domain   0 <= delta < 1.
 * Errors   as above. */
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_to_epsilon(dpn_conversion *out, const dpn_guarantee *from, size_t count,
                                                         double delta, dpn_rule rule, dpn_error *why);

/* zCDP with xi = 0 from a pure guarantee (rho = epsilon tanh(epsilon/2), exact, or by Bun and Steinke epsilon^2/2),
 * from Gaussian DP (mu^2/2, exact); zCDP itself stays.
 * Errors   DPN_EUNSUPPORTED for notions that do not imply it. */
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_to_zcdp(dpn_conversion *out, const dpn_guarantee *from, dpn_rule rule,
                                                      dpn_error *why);

/* The Renyi divergence of an order > 1: of a pure guarantee that of randomised response, of zCDP xi + a rho, of
 * Gaussian DP a mu^2/2, of a Renyi guarantee of that or a higher order itself.
 * Errors   DPN_EDOMAIN, DPN_EUNSUPPORTED. */
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_to_renyi(dpn_conversion *out, const dpn_guarantee *from, double order,
                                                       dpn_error *why);

/* Gaussian DP: of a pure guarantee mu = 2 z with P(N > z) = 1/(1 + e^epsilon), exact. Of approximate(epsilon, delta),
 * which does not imply it, the largest mu that would imply it (DPN_RULE_NEEDED), rounded down.
 * Errors   DPN_EUNSUPPORTED, DPN_EACCURACY. */
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_to_gdp(dpn_conversion *out, const dpn_guarantee *from, dpn_error *why);

/* The guarantee for groups: for tables that are k steps of the neighbouring relation apart. pure: k epsilon; gdp: k mu;
 * zcdp: (xi k (1 + 1/2 + ... + 1/k), k^2 rho), or (k xi, 0) if rho = 0, which is pure; approximate: (k epsilon,
 * delta (e^(k epsilon) - 1)/(e^epsilon - 1)).
 * That of zCDP with xi and rho above 0 and the approximate one are bounds.
 * Domain   1 <= k <= 1e9. Not for Renyi divergences of one order.
 * Errors   DPN_EDOMAIN, also if the result is no guarantee (delta of 1 or more); DPN_EUNSUPPORTED. */
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_to_group(dpn_conversion *out, const dpn_guarantee *from, uint64_t k,
                                                       dpn_error *why);

/* What a group has of (epsilon, delta) and of Gaussian DP. For a pure guarantee this is less than what pure(k epsilon) implies: the worst
 * mechanism is discrete Laplace noise of scale 1/epsilon on a count, at shift k, whose profile and trade-off curve are exact.
 * Other guarantees, and what a rule that is asked for says of a pure one, go by the guarantee of the group; that is exact for Gaussian DP.
 * Errors   as above and as of dpn_convert_to_delta, dpn_convert_to_epsilon and dpn_convert_to_gdp. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_group_to_delta(dpn_conversion *out, const dpn_guarantee *from, uint64_t k,
                                                             double epsilon, dpn_rule rule, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_group_to_epsilon(dpn_conversion *out, const dpn_guarantee *from,
                                                               uint64_t k, double delta, dpn_rule rule, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_group_to_gdp(dpn_conversion *out, const dpn_guarantee *from, uint64_t k,
                                                           dpn_error *why);

/* From add/remove of a row to replacing one, which is a removal and an addition: the group of two.
 * Errors   as above. */
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_to_replace(dpn_conversion *out, const dpn_guarantee *from,
                                                         dpn_error *why);

/* The way back does not exist: a mechanism that publishes the number of rows is perfectly private under replacement.
 * What exists is the add/remove guarantee that gives this replace-one guarantee (DPN_RULE_NEEDED), rounded down: of
 * pure half the epsilon, of approximate (epsilon/2, delta/(1 + e^(epsilon/2))), of zcdp with xi = 0 a quarter of rho,
 * of gdp half of mu.
 * Errors   DPN_EUNSUPPORTED. */
DPN_API DPN_MUST_CHECK dpn_status dpn_convert_to_add_remove(dpn_conversion *out, const dpn_guarantee *from,
                                                            dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
