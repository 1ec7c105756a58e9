/* Every law a second time, from its definition, to 200 bits: what the library is measured against.
 *
 * The formulas here are the plain ones (integrals and sums by pieces), worked with as many bits as their cancellation
 * needs; nothing is shared with src/. A new family is one file here that ends in a row of this type, and one line in
 * families.c.
 */
#ifndef DPN_TEST_REFERENCE_H
#define DPN_TEST_REFERENCE_H

#include "reference/draw.h"
#include "reference/real.h"

enum { REF_PARAMETERS = 3, REF_CONSTANTS = 10 };

typedef struct ref_law {
    const struct ref_family *family;
    real parameter[REF_PARAMETERS];
    real constant[REF_CONSTANTS]; /* what prepare leaves; REF_LOG_MASS is required */
} ref_law;

enum { REF_LOG_MASS, REF_OWN }; /* -log pdf(0): the logarithm of the integral (sum) of exp(-psi) */

struct ref_family {
    const char *name;
    int parameters;
    bool integer;

    /* The ratio of parameters whose extremes make the plain formulas cancel; the working precision grows by eight times
     * its logarithm to base two. NULL: there is none. */
    double (*ratio)(const double *parameter);
    void (*prepare)(ref_law *law);

    /* For t >= 0, whole on the integers: psi(t) = log pdf(0) - log pdf(t) (+inf off the support) and log P(X > t). */
    real (*psi)(const ref_law *law, real t);
    real (*log_tail)(const ref_law *law, real t);

    real (*variance)(const ref_law *law);
    real (*mean_abs)(const ref_law *law);
    real (*fisher)(const ref_law *law); /* NULL: +inf, on the integers NaN */
    real (*entropy)(const ref_law *law);
    real (*log_mgf)(const ref_law *law, real s); /* 0 < s < mgf_bound */
    real (*mgf_bound)(const ref_law *law);       /* NULL: +inf */
    real (*support)(const ref_law *law);         /* NULL: +inf */

    /* A set of parameters to test at; returns whether the library must accept it (others it may refuse). */
    bool (*draw)(draw_source *source, double *parameter);
    /* A point >= 0 where the density bends or jumps; NULL: there is none. */
    double (*breakpoint)(draw_source *source, const double *parameter);
};

/* The row of a family by name, NULL if there is none; all rows by index, NULL past the end. */
const struct ref_family *ref_find(const char *name);
const struct ref_family *ref_family_at(size_t index);

/* Fill in a law and set the working precision for it: at least 320 bits, and `more` on top. The law lives in the pool of
 * numbers until the caller releases it. */
void ref_make(ref_law *law, const struct ref_family *family, const double *parameter, mpfr_prec_t more);

/* The members, as dpnoise/law.h defines them, for any t and s. */
real ref_psi(const ref_law *law, real t);
real ref_log_pdf(const ref_law *law, real t);
real ref_pdf(const ref_law *law, real t);
real ref_log_sf(const ref_law *law, real t);
real ref_sf(const ref_law *law, real t);
real ref_log_cdf(const ref_law *law, real t);
real ref_cdf(const ref_law *law, real t);
typedef struct ref_tails {
    real sf, log_sf, cdf, log_cdf;
} ref_tails;
ref_tails ref_tails_at(const ref_law *law, real t); /* all four for the price of one */
real ref_variance(const ref_law *law);
real ref_mean_abs(const ref_law *law);
real ref_fisher(const ref_law *law);
real ref_nfi(const ref_law *law);
real ref_entropy(const ref_law *law);
real ref_log_mgf(const ref_law *law, real s);
real ref_mgf_bound(const ref_law *law);
real ref_support(const ref_law *law);

#endif
