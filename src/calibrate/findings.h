/* What a comparison has found of a family, for the others: laplace and gaussian noise are limits of most families, and are searched and
 * certified once. */
#ifndef DPN_CALIBRATE_FINDINGS_H
#define DPN_CALIBRATE_FINDINGS_H

#include "calibrate/hunt.h"

/* A new findings, NULL without memory: then nothing is remembered. All problems that share it have the same set and options, but for
 * `identical`. */
dpn_findings *dpn_findings_new(void);
void dpn_findings_free(dpn_findings *findings);

/* The candidates of a family without their certificates, as dpn_hunt_family left them in hunt->kind; false if the problem has no findings or
 * another one was searched. Spreads are copied to the room. */
bool dpn_findings_recall(dpn_candidate kind[DPN_HUNT_KINDS], double *error, const dpn_spread *room,
                         const dpn_problem *problem, const struct dpn_family *family);
void dpn_findings_keep(const dpn_problem *problem, const struct dpn_family *family,
                       const dpn_candidate kind[DPN_HUNT_KINDS], double error);

/* How the certification of a candidate of that kind ended, with patience or without. */
bool dpn_findings_recall_end(dpn_candidate *candidate, dpn_status *status, dpn_error *why, const dpn_problem *problem,
                             int kind, bool patient);
void dpn_findings_keep_end(const dpn_problem *problem, const dpn_candidate *loose, int kind, bool patient,
                           const dpn_candidate *end, dpn_status status, const dpn_error *why);

/* dpn_calibrate with a findings, or NULL. */
dpn_status dpn_calibrate_sharing(dpn_plan *plan, const char *family, double epsilon, double delta,
                                 const dpn_sensitivity *set, const dpn_calibration_options *options,
                                 dpn_findings *findings, dpn_error *why);

#endif
