/* Bounds of Renyi divergences by name (docs/proofs/privacy/renyi.md, section 6). */
#include <dpnoise/renyi.h>

#include "base/error.h"
#include "law/family.h"
#include "privacy/sensitivity/moves.h"
#include "privacy/sensitivity/norms.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct row {
    const char *name;
    const struct dpn_family *family;
    bool line; /* xi + order rho of dpn_zcdp_sensitivity; else OSGT Theorem 2 */
    const char *sentence;
} row;

static const row rows[] = {
    {"osgt-16", &dpn_osgt, false, "OSGT Theorem 2: its second term falls with the order and has no limit at order 1."},
    {"osgt-constant", &dpn_osgt, true, "Ours, in place of OSGT (18): a zCDP line whose first term is m D1/sigma^2."},
    {"fh-theorem-9", &dpn_flipped_huber, true, "FH Theorem 9: a zCDP line whose first term is K R_D(alpha)/2 gamma^2."},
};
enum { ROWS = sizeof rows / sizeof *rows };

const char *dpn_renyi_bound_name(size_t index) {
    return index < ROWS ? rows[index].name : NULL;
}

const char *dpn_renyi_bound_describe(size_t index) {
    return index < ROWS ? rows[index].sentence : NULL;
}

static dpn_status by_theorem_2(double *out, const dpn_law *law, const dpn_sensitivity *set, double order,
                               dpn_error *why) {
    dpn_norms norms;
    dpn_status status = dpn_norms_of(&norms, set, why);
    if (status) return status;
    if (norms.changed == 0) {
        *out = 0;
        return DPN_OK;
    }
    return dpn_renyi_osgt_theorem_2(out, law, (size_t)norms.changed, norms.l2, order, why);
}

static dpn_status by_line(double *out, const dpn_law *law, const dpn_sensitivity *set, double order, dpn_error *why) {
    dpn_zcdp line;
    dpn_status status = dpn_zcdp_sensitivity(&line, NULL, law, 1, set, why);
    if (status) return status;
    *out = (line.xi + (line.rho > 0 ? order * line.rho : 0)) * (1 + 4 * DBL_EPSILON);
    return DPN_OK;
}

dpn_status dpn_renyi_bound(double *out, const char *name, const dpn_law *law, const dpn_sensitivity *set, double order,
                           dpn_error *why) {
    const row *bound = NULL;
    for (size_t i = 0; i < ROWS && !bound; i++)
        if (!strcmp(rows[i].name, name)) bound = &rows[i];
    if (!bound) return dpn_fail(why, DPN_EPARSE, "no bound is called '%.40s'", name);
    dpn_status status = dpn_sensitivity_check(law, 1, set, why);
    if (status) return status;
    if (law->family != bound->family)
        return dpn_fail(why, DPN_EUNSUPPORTED, "the bound %s is about %s noise, not %s", name, bound->family->name,
                        law->family->name);
    if (!(order > 1)) return dpn_fail(why, DPN_EDOMAIN, "a bound needs an order above 1");
    return bound->line ? by_line(out, law, set, order, why) : by_theorem_2(out, law, set, order, why);
}
