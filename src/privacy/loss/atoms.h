/* The atoms of losses that have nothing else: integer laws, the staircase, explicit lists. */
#ifndef DPN_PRIVACY_LOSS_ATOMS_H
#define DPN_PRIVACY_LOSS_ATOMS_H

#include "privacy/loss/rule.h"

/* Add to the rule every atom whose mass, plain or tilted by theta, is above e^log_goal times the largest. *lost grows
 * by a bound of the others' tilted mass in the unit of the largest, and by one of their plain mass.
 */
dpn_status dpn_atoms_add(dpn_tilt_rule *rule, const dpn_loss *loss, bool reversed, double theta, double log_goal,
                         double *lost);

#endif
