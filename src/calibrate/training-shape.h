/* The shape with the least error for a training run. */
#ifndef DPN_CALIBRATE_TRAINING_SHAPE_H
#define DPN_CALIBRATE_TRAINING_SHAPE_H

#include "calibrate/training-scale.h"

/* The noise with the least error of the family of `search`, which has a shape, over all shapes that the training allows: a scan over the
 * logarithm of the shape, then golden sections, by estimates; the best is certified, in search->law and ->delta. Where the range is open, noise of the
 * families in its limits and of its members competes, and search->law tells who won. Notes go to training->note.
 * Errors   those of dpn_scale_find if no shape has a certified scale. */
dpn_status dpn_shape_find(dpn_scale_search *search, dpn_error *why);

#endif
