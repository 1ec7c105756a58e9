/* Settings of a fit: which of them a method looks at, and the text that is equal for equal fits. */
#ifndef DPN_LEARN_SETTINGS_H
#define DPN_LEARN_SETTINGS_H

#include "learn/fit.h"

struct dpn_fit_method;

/* A method's row has those that it looks at. `rows` alone may always be said: it is for choices too. */
enum {
    DPN_USES_RAW = 1 << 0,
    DPN_USES_NOISE = 1 << 1,
    DPN_USES_BALL = 1 << 2,
    DPN_USES_L1 = 1 << 3,
    DPN_USES_L2 = 1 << 4,
    DPN_USES_PASSES = 1 << 5,
    DPN_USES_ROWS = 1 << 6,
    DPN_USES_ACCOUNTING = 1 << 7,
    DPN_USES_CLIP = 1 << 8,
    DPN_USES_STEP = 1 << 9,
    DPN_USES_WITHIN = 1 << 10,
    DPN_USES_SHARE = 1 << 11,
    DPN_USES_IDENTICAL = 1 << 12,
    DPN_USES_START = 1 << 13,
    DPN_USES_SMOOTHNESS = 1 << 14,
    DPN_USES_SAMPLE_RATE = 1 << 15,
    DPN_USES_BLOCKS = 1 << 16,
    DPN_USES_POINTS = 1 << 17,
    DPN_USES_WITHIN_L2 = 1 << 18,
    DPN_USES_SET = DPN_USES_WITHIN | DPN_USES_WITHIN_L2,
    DPN_USES_PENALTIES = DPN_USES_L1 | DPN_USES_L2,
    DPN_USES_DESCENT = DPN_USES_RAW | DPN_USES_NOISE | DPN_USES_PENALTIES | DPN_USES_PASSES | DPN_USES_ROWS |
                       DPN_USES_ACCOUNTING | DPN_USES_CLIP | DPN_USES_STEP | DPN_USES_IDENTICAL | DPN_USES_START |
                       DPN_USES_SMOOTHNESS,
    DPN_USES_ALL = (1 << 19) - 1
};

/* Whether a method looks at all settings that are said. */
bool dpn_fit_takes_all(const dpn_fit *fit, const struct dpn_fit_method *method);

/* That nothing is said which the method of the fit would pass over: another question would be paid for the same answer.
 * Errors   DPN_EUNSUPPORTED. */
dpn_status dpn_fit_check_settings(const dpn_fit *fit, dpn_error *why);

/* What is asked besides the declaration, as JSON, to be freed: the method, and of what is settled the part that it looks at. What a forecast or a choice alone
 * looked at is no part of it, and defaults are the same whether they are written or not.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_fit_write_settings(char **out, const dpn_fit *fit, dpn_error *why);

#endif
