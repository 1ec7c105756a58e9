/* dpnoise/dpnoise.h - every public header of libdpnoise-core. Each one is the manual of its room. What libdpnoise has
 * beyond the core is included by name: dpnoise/geometry.h, dpnoise/learn.h, dpnoise/noisy-objective.h,
 * dpnoise/table.h.
 *
 * ---- Start here ----
 *
 * In the order in which a newcomer needs them, each with a program in examples/ that can be copied:
 *
 *   1. a noise law and what it looks like                 law.h                      examples/law.c
 *   2. what noise guarantees, alone and composed          privacy.h                  examples/compose.c
 *   3. the least noise for a guarantee                    calibrate.h                examples/calibrate.c
 *   4. exact noise on numbers, which may be published     release.h, random.h        examples/noise.c
 *   5. private statistics of a table, out of a budget     declaration.h, question.h, ledger.h, table.h
 *                                                                                    examples/table.c
 *
 * The shortest program that publishes a number safely: a count of 1204, which one person changes by at most 1.
 *
 * Example
 *     dpn_sensitivity set = {.dimension = 1, .linf = 1, .relation = DPN_ADD_REMOVE, .unit = DPN_PERSON};
 *     dpn_release_options options = dpn_release_options_init();
 *     dpn_release *release;
 *     dpn_rng *rng;
 *     dpn_error why;
 *     int64_t count, noisy;
 *     char text[DPN_RELEASE_TEXT_SIZE];
 *     options.epsilon = 1;
 *     options.set = &set;
 *     options.whole = true;
 *     if (dpn_rng_new(&rng, &why) || dpn_release_new(&release, &options, &why) ||
 *         dpn_release_parse(&count, release, 0, "1204", &why) || dpn_release_draw(&noisy, release, rng, &count, &why))
 *         return puts(why.sentence), dpn_status_exit_code(why.status);
 *     puts(dpn_release_print(text, release, 0, noisy));
 *     dpn_release_free(release);
 *     dpn_rng_free(rng);
 *
 * Compile with `cc program.c $(pkg-config --cflags --libs dpnoise)`. A number may be published once; what several of them
 * cost together is a ledger's business (ledger.h).
 *
 * Further: renyi.h, convert.h and condition.h (other notions of privacy, the conditions of papers), guarantees.h (what others
 * promise, composed), filter.h (budgets for
 * questions chosen from answers), sampling.h (training on samples), sampler.h, vector-sampler.h and quantile.h (draws), audit.h
 * (samples against a claim), registration.h (data sets as their curators register them), plan.h, answer.h, number.h and decimal.h (things as text), version.h.
 *
 * ---- How functions work ----
 *
 * What can fail returns a dpn_status, DPN_OK being 0, and writes its results on success alone; a dpn_error at the end gets the
 * reason as a sentence, and may be NULL. Results come first, then what they are made of. Handles are made by _new or _open and
 * freed by _free or _close, which accept NULL; what belongs to one handle is not shared between threads. Functions that write
 * text (_write, _export) give a text to be freed with free() and its length, which may be NULL.
 *
 * Examples in these headers are the bodies of functions that return an int. They are compiled. Where they draw without making a
 * source, `rng` is one that was made before (random.h).
 *
 * ---- How options work ----
 *
 * What can be asked of a function beyond its arguments is in a structure whose name ends in _options. Begin with its
 * initialiser and set what matters; 0, NULL and false stand for the defaults.
 *
 * Example
 *     dpn_sensitivity set = {.dimension = 2, .l2 = 1};
 *     dpn_calibration_options options = dpn_calibration_options_init();
 *     dpn_plan plan;
 *     dpn_error why;
 *     options.identical = true;
 *     if (dpn_calibrate(&plan, "gaussian", 1, 1e-6, &set, &options, &why)) return puts(why.sentence);
 *     dpn_plan_free(&plan);
 *
 * In C `{.size = sizeof(dpn_calibration_options), .identical = true}` says the same. Where no member has to be set, NULL
 * instead of the structure stands for all defaults. The member `size` lets the structures grow: a program compiled against an
 * older header gives a smaller one, and what it lacks is taken for 0; a member that is set and that the library does not know is
 * refused (DPN_EDOMAIN), and so is a structure that did not begin with its initialiser. All other public structures keep their
 * members for as long as the library keeps its name (version.h).
 */
#ifndef DPNOISE_DPNOISE_H
#define DPNOISE_DPNOISE_H

#include <dpnoise/answer.h>
#include <dpnoise/audit.h>
#include <dpnoise/calibrate.h>
#include <dpnoise/condition.h>
#include <dpnoise/convert.h>
#include <dpnoise/decimal.h>
#include <dpnoise/declaration.h>
#include <dpnoise/design.h>
#include <dpnoise/field.h>
#include <dpnoise/filter.h>
#include <dpnoise/guarantees.h>
#include <dpnoise/law.h>
#include <dpnoise/ledger.h>
#include <dpnoise/loss.h>
#include <dpnoise/number.h>
#include <dpnoise/plan.h>
#include <dpnoise/privacy.h>
#include <dpnoise/quantile.h>
#include <dpnoise/push.h>
#include <dpnoise/question.h>
#include <dpnoise/random.h>
#include <dpnoise/registration.h>
#include <dpnoise/release.h>
#include <dpnoise/renyi.h>
#include <dpnoise/sampler.h>
#include <dpnoise/sampling.h>
#include <dpnoise/statistics.h>
#include <dpnoise/status.h>
#include <dpnoise/vector-sampler.h>
#include <dpnoise/version.h>

#endif
