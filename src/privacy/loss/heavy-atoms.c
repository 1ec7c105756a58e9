/* The atoms of a loss that carry the most mass under a tilt. */
#include "privacy/loss/heavy-atoms.h"

#include "privacy/loss/rule.h"

#include <math.h>

/* Put an atom in its place in the list. */
static size_t insert(dpn_heavy_atom *out, size_t count, size_t most, double value, double share) {
    if (!(share > 0)) return count;
    size_t place = count < most ? count : most;
    while (place > 0 && out[place - 1].share < share) place--;
    if (place == most) return count;
    size_t last = count < most ? count : most - 1;
    for (size_t i = last; i > place; i--) out[i] = out[i - 1];
    out[place] = (dpn_heavy_atom){value, share};
    return last + 1;
}

dpn_status dpn_heavy_atoms(dpn_heavy_atom *out, size_t *count, size_t most, const dpn_loss *loss, double theta) {
    dpn_shape shape;
    dpn_tilt_rule rule = {0};
    dpn_error why;
    *count = 0;
    if (dpn_shape_make(&shape, loss, false, &why) || (!shape.listed && shape.atoms == 0)) return DPN_OK;
    dpn_status status = dpn_tilt_rule_make(&rule, &shape, loss, false, theta, 0, 1e-6, &why);
    for (size_t i = 0; !status && i < rule.atoms; i++) {
        *count = insert(out, *count, most, rule.value[i], rule.sum[i] - rule.minus[i]);
        if (shape.symmetric && rule.value[i] > 0) *count = insert(out, *count, most, -rule.value[i], rule.minus[i]);
    }
    dpn_tilt_rule_free(&rule);
    return status == DPN_ENOMEM ? status : DPN_OK; /* another error means too many points */
}
