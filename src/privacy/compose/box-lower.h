/* What a random box loses at least. docs/proofs/privacy/random-box.md, claim 6 */
#ifndef DPN_PRIVACY_BOX_LOWER_H
#define DPN_PRIVACY_BOX_LOWER_H

#include "privacy/loss/random-box.h"

/* A lower bound of delta(epsilon) of one draw of a random box whose coordinates all move by 1, certified: the delta of a function of its output, the loss that it
 * would have with one of a few sizes, rounded and modulo a power of two. 0 if nothing above rounding is found, for more than 8 different coordinates, or if there is no memory. Any real epsilon. */
double dpn_box_delta_lower(const dpn_box_sizes *sizes, double epsilon);

#endif
