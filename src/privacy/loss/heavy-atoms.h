/* The atoms of a loss that carry the most mass under a tilt. */
#ifndef DPN_PRIVACY_HEAVY_ATOMS_H
#define DPN_PRIVACY_HEAVY_ATOMS_H

#include <dpnoise/privacy.h>

/* A value of the loss and its share of the tilted mass, to a few digits. */
typedef struct dpn_heavy_atom {
    double value, share;
} dpn_heavy_atom;

/* At most `most` atoms under the tilt theta, heaviest first, and their number. None if the loss has none, or so many that they are
 * as good as a density.
 * Errors   DPN_ENOMEM.
 */
dpn_status dpn_heavy_atoms(dpn_heavy_atom *out, size_t *count, size_t most, const dpn_loss *loss, double theta);

#endif
