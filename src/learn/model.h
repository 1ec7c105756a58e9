/* From the scaled unit to the data's. */
#ifndef DPN_LEARN_MODEL_H
#define DPN_LEARN_MODEL_H

#include "learn/method.h"

/* The model of an estimate. On error *out is not written. */
dpn_status dpn_model_make(dpn_model **out, const dpn_fit *fit, const dpn_fit_estimate *estimate, dpn_error *why);

#endif
