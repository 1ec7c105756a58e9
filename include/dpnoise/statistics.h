/* dpnoise/statistics.h - private statistics of a table.
 *
 * A declaration (dpnoise/declaration.h) is compiled into a query: which sums are formed for each group, on which grids, how
 * far one unit can move them, and the plan of noise with the least error for all of them together. All that is public and
 * done before anything is spent. Then, in this order: charge the ledger, open the tally, give it the rows, ask for the answer.
 *
 *     dpn_query *query;
 *     if (dpn_query_new(&query, &declaration, NULL, &why)) ...
 *     dpn_query_charge(&charge, query, &account.filter, &why);  then dpn_ledger_spend
 *     dpn_tally *tally;
 *     dpn_tally_new(&tally, query, rng, &why);
 *     while (rows come) dpn_tally_rows(tally, fields, rows, &why);
 *     dpn_answer *answer;
 *     dpn_query_answer(&answer, query, tally, rng, &why);
 *
 * docs/proofs/release/statistics.md says what is proved.
 */
#ifndef DPNOISE_STATISTICS_H
#define DPNOISE_STATISTICS_H

#include <dpnoise/calibrate.h>
#include <dpnoise/declaration.h>
#include <dpnoise/field.h>
#include <dpnoise/filter.h>
#include <dpnoise/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The query ---- */

typedef struct dpn_query dpn_query;

/* Compile a declaration: check it, derive the sensitivity set, and find the plan.
 * Result   a query that does not change: threads may share it.
 * Errors   those of dpn_declaration_check and dpn_release_new; DPN_EDOMAIN if keys are unknown and delta is 0.
 * Since    0.1
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_query_new(dpn_query **out, const dpn_declaration *declaration,
                                                const dpn_calibration_options *options, dpn_error *why);
DPN_API void dpn_query_free(dpn_query *query);

/* The columns of the table that the query reads, in the order in which dpn_tally_rows wants their fields; each once.
 * NULL past the end.
 * Since    0.1
 */
DPN_API const char *dpn_query_column(const dpn_query *query, size_t index);

/* What stands in the answer: the groups (0 until the tally if keys are unknown) and the output columns, with their names:
 * "count", "sum(income)", "mean(income)", "variance(income)", "histogram(age)[0,18)", "quantile(age,0.5)",
 * "covariance(a,b)". NULL past the end.
 * Since    0.1
 */
DPN_API size_t dpn_query_groups(const dpn_query *query);
DPN_API const char *dpn_query_output(const dpn_query *query, size_t index);

/* One sum that is formed in each group and gets noise: the cells of the plan. For a histogram it stands for every bin. */
typedef struct dpn_query_cell {
    const char *name;   /* "count", "sum(income - 100000)", ... */
    double sensitivity; /* how far one unit moves it in one group, in its unit */
    double grid;        /* its step */
    double variance;    /* of the noise */
    double interval95;  /* half-width */
    double naive95;     /* half-width if each cell had an equal share of epsilon and delta and its own noise */
} dpn_query_cell;

/* The cells 0 .. count - 1; how many groups one unit can move; the plan of one group's cells, NULL if there are none
 * (quantiles only); the epsilon of each quantile in each group; the threshold and its delta if keys are unknown.
 * Since    0.1
 */
typedef struct dpn_query_facts {
    size_t cells;
    const dpn_query_cell *cell;
    uint64_t moved_groups;
    const dpn_plan *plan;
    double quantile_epsilon;
    size_t quantiles;
    int64_t threshold; /* a key appears if its noisy number of persons is above it */
    double threshold_delta;
    bool unknown_keys;
    bool count_is_public; /* under replace, without groups and predicates, the number of rows is taken for known */
} dpn_query_facts;
DPN_API dpn_query_facts dpn_query_look(const dpn_query *query);

/* What an output column's error will be in every group: half the width of its 95% interval, NaN if it depends on the answer
 * (means, variances) or is measured in ranks (quantiles).
 * Since    0.1
 */
DPN_API double dpn_query_interval95(const dpn_query *query, size_t output);

/* The charge for a filter.
 * Errors   those of dpn_plan_charge.
 * Since    0.1
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_query_charge(dpn_charge *out, const dpn_query *query, const dpn_filter *filter,
                                                   dpn_error *why);

/* ---- The tally: exact sums, no noise ---- */

typedef struct dpn_tally dpn_tally;

/* The secret of the lottery that chooses which of a person's rows are kept, where there are more than max_groups and max_rows
 * allow. Tallies of one table that are made in several processes have to share it: then they cut alike, in any order of the
 * rows, and merge into the tally of the whole. The guarantee does not rest on it: it holds for every secret that was chosen
 * without a look at the data. Who knows it can tell which of their rows count.
 * Errors   DPN_EENTROPY.
 */
enum { DPN_TALLY_SECRET_SIZE = 32 };
typedef struct dpn_tally_secret {
    unsigned char byte[DPN_TALLY_SECRET_SIZE];
} dpn_tally_secret;
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_secret_new(dpn_tally_secret *out, dpn_rng *rng, dpn_error *why);

/* An empty tally. Its memory is proportional to the groups, with unknown keys to the keys that appear; with persons to the
 * different rows (in what they add, not in their texts) of each person in at most max_groups groups. Without persons it is
 * constant in the number of rows. dpn_tally_new draws a secret of its own; dpn_tally_new_with takes one, or draws it if that is
 * NULL. The random source is needed in any case, for a hash that data cannot foresee.
 * Errors   DPN_EDOMAIN, DPN_ENOMEM, DPN_EENTROPY.
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_new(dpn_tally **out, const dpn_query *query, dpn_rng *rng, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_new_with(dpn_tally **out, const dpn_query *query,
                                                     const dpn_tally_secret *secret, dpn_rng *rng, dpn_error *why);

/* Another tally with the same secret, for another thread: merge it later.
 * Since    0.1
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_split(dpn_tally **out, const dpn_tally *tally, dpn_error *why);

/* Add rows: rows times the query's columns, row by row. The sums do not depend on the order of the rows.
 * A row counts if the predicates hold and its levels are declared, byte by byte; a NULL is the level "". Of such a row, and of no
 * other, all numbers and the person are read, whether or not the row is kept of that person.
 * Domain   a number is a decimal of any size and length, with spaces or tabs around it or not: 1e999999999 is clamped like any
 *          other. "inf", "nan", hexadecimals and commas are no numbers. A NULL, empty or blank field is missing.
 * Errors   DPN_EPARSE for a field that is no number where one is needed, or a person that is missing, with a sentence that tells neither the value nor the
 *          row; *bad_row, if not NULL, gets the index of the row within this call, for the curator. DPN_ENOMEM; DPN_EDOMAIN
 *          beyond 2^36 rows. After an error the tally is of no more use.
 * Since    0.1
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_rows(dpn_tally *tally, const dpn_field *field, size_t rows, size_t *bad_row,
                                                 dpn_error *why);

/* Add what another tally of the same query holds. `from` is of no more use but has to be freed.
 * Since    0.1
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_merge(dpn_tally *into, dpn_tally *from, dpn_error *why);
DPN_API void dpn_tally_free(dpn_tally *tally);

/* ---- The answer ---- */

typedef struct dpn_answer_cell {
    double value;     /* rounded to what the noise supports, see digits; NaN if nothing can be said */
    double low, high; /* the 95% interval; of a quantile NaN */
    /* Of a quantile, else NaN: with 95% its rank is off by at most this more than that of the best candidate edge, which is
     * itself off by up to half the values between two edges. */
    double rank95;
    int digits; /* decimals after the point that are worth printing, negative: zeros before it */
} dpn_answer_cell;

typedef struct dpn_answer {
    size_t bys, groups, outputs;
    char **key;            /* groups times bys texts */
    char **output;         /* names */
    dpn_answer_cell *cell; /* groups times outputs */
} dpn_answer;

/* Noise on the tally, and what follows from the noisy sums alone. Groups are in the order of the declared levels, the last
 * column's fastest; unknown keys in the order of their bytes.
 * Domain   the tally of this query, or one that was split from it and holds all that was merged. It gives one answer: the next
 *          one would be another release, and needs another charge and tally.
 * Guarantee  all of the answer together is (epsilon, delta)-private for the declaration's relation and unit, as charged.
 * Errors   DPN_EDOMAIN for the tally of another query, or one that has given its answer, itself or by one split from it; those
 *          of dpn_release_draw; DPN_ENOMEM. On error *out is not written.
 * Since    0.1
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_query_answer(dpn_answer **out, const dpn_query *query, dpn_tally *tally,
                                                   dpn_rng *rng, dpn_error *why);
DPN_API void dpn_answer_free(dpn_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
