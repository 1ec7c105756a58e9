/* The parts of `dpnoise predict`. */
#ifndef DPNOISE_CLI_PREDICT_PREDICT_H
#define DPNOISE_CLI_PREDICT_PREDICT_H

#include "kit/options.h"

#include <dpnoise/learn.h>
#include <dpnoise/table.h>

/* A model from a file. */
dpn_status predict_read_model(dpn_model **out, const char *name, dpn_error *why);

/* --score: how well the model does on the rows of an open table, whose fields are those of the features and then the target; with
 * another model (NULL: none) also how far it is from that one. It looks at the data, and says so (score.c).
 * Errors   those of the table; DPN_EDOMAIN for a model of other features. */
dpn_status predict_score(const struct arguments *arguments, const dpn_model *model, const dpn_model *against,
                         dpn_table *table, dpn_error *why);

#endif
