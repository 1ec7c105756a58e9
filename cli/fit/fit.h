/* The parts of `dpnoise fit`. The data, the ledger and the charge are those of `dpnoise release`. */
#ifndef DPNOISE_CLI_FIT_FIT_H
#define DPNOISE_CLI_FIT_FIT_H

#include "kit/draft.h"
#include "release/release.h"

#include <dpnoise/learn.h>

struct fitting {
    struct release release;
    dpn_fit_options options;
    double *start, *smoothness; /* of the options */
    dpn_fit *fit;
    dpn_model *model;
    bool plain; /* --method non-private */
};

/* The options of the fit, and the declaration: --target, --features, --levels and what release has too (declare.c).
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_ENOMEM; the sentence names the option. */
dpn_status fit_read_options(struct fitting *fitting, dpn_error *why);
dpn_status fit_declare(struct fitting *fitting, dpn_error *why);

/* --tune FILE: the setting that does best on the rows of a public file, for which the fit is made anew (tune.c). */
dpn_status fit_tune(struct fitting *fitting, dpn_error *why);

/* Target and features are declared as means, and sentences about these speak of columns instead. */
void fit_reword(dpn_error *why);

/* Read all rows of the open table into the fit (rows.c).
 * Errors   those of the table and of dpn_fit_rows: what they say is for the curator. */
dpn_status fit_read(struct fitting *fitting, dpn_error *why);

/* The model, or with --dry-run what would be released and charged (print.c). */
dpn_status fit_print(const struct fitting *fitting, dpn_error *why);
dpn_status fit_print_plan(const struct fitting *fitting, dpn_error *why);

/* What a feature does within its bounds, in the target's unit or as log odds; drawn to the file of --plot (picture.c). The name is the model's.
 * Errors   those of gnuplot_close. */
dpn_coefficient fit_effect(const dpn_model *model, size_t feature);
dpn_status fit_plot(const struct fitting *fitting, dpn_error *why);

/* The page of --report, which is begun before the charge: published, or dropped on error (report.c). */
dpn_status fit_write_report(struct draft *draft, const struct fitting *fitting, dpn_error *why);

/* --audit: fits of neighbouring tables against the guarantee; nothing is read or charged (audit.c).
 * Errors   those of dpn_audit_fit; DPN_EACCURACY if the claim is refuted, after the answer is printed. */
dpn_status fit_audit(const struct fitting *fitting, dpn_error *why);

/* With --experiment: run one with the rows of the fit and print it (experiment.c). NOT PRIVATE. */
dpn_status fit_experiment(const struct fitting *fitting, dpn_error *why);

/* With --rows: what the noise is likely to cost, for the dry run (forecast.c). */
struct forecast {
    bool known;
    uint64_t rows; /* of the table that was invented */
    double error;
};
dpn_status fit_forecast(struct forecast *out, const struct fitting *fitting, dpn_error *why);

#endif
