/* Guarantees, checked. */
#ifndef DPN_PRIVACY_CONVERT_GUARANTEE_H
#define DPN_PRIVACY_CONVERT_GUARANTEE_H

#include <dpnoise/convert.h>

/* What every conversion refuses: parameters that are negative, NaN or, but for an order, infinite; delta >= 1; order <=
 * 1.
 * Errors   DPN_EDOMAIN. */
dpn_status dpn_guarantee_check(const dpn_guarantee *guarantee, dpn_error *why);

/* The same guarantee in its simplest notion: zCDP with rho = 0 and a Renyi divergence of infinite order are pure, a
 * pure one is approximate with delta = 0. */
dpn_guarantee dpn_guarantee_simplest(const dpn_guarantee *guarantee);

const char *dpn_notion_name(dpn_notion notion);

#endif
