/* The table of closed forms. */
#include "privacy/profile/closed-forms.h"

extern const struct dpn_closed_form dpn_closed_gaussian, dpn_closed_laplace, dpn_closed_flipped_huber, dpn_closed_osgt,
    dpn_closed_staircase, dpn_closed_truncated_laplace, dpn_closed_subbotin, dpn_closed_logistic,
    dpn_closed_discrete_laplace, dpn_closed_truncated_geometric;

static const struct dpn_closed_form *const table[] = {
    &dpn_closed_gaussian,         &dpn_closed_laplace,
    &dpn_closed_flipped_huber,    &dpn_closed_osgt,
    &dpn_closed_staircase,        &dpn_closed_truncated_laplace,
    &dpn_closed_subbotin,         &dpn_closed_logistic,
    &dpn_closed_discrete_laplace, &dpn_closed_truncated_geometric,
};

const struct dpn_closed_form *dpn_closed_form_of(const dpn_law *law) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i]->family == law->family) return table[i];
    return NULL;
}
