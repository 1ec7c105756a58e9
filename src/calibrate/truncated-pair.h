/* Truncated geometric noise on answers of which one moves: the law itself, without a search over shapes. */
#ifndef DPN_CALIBRATE_TRUNCATED_PAIR_H
#define DPN_CALIBRATE_TRUNCATED_PAIR_H

#include "calibrate/problem.h"

/* The law truncated-geometric(epsilon,n,theta) with the largest epsilon that is private at every shift D of the problem as long
 * as nothing is beyond its reach, the least n, and for it the least theta, with which delta is certified. For D = 1 no
 * noise on the integers has less error, of any kind that does not fall with |k| (docs/proofs/law/truncated-geometric.md).
 * False if there is none: more than one coordinate moves, delta is 0, another condition or a range of shapes is asked
 * for, or the parameters would leave their domain. */
bool dpn_truncated_pair(dpn_law *law, const dpn_problem *problem);

#endif
