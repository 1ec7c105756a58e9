/* dpnoise/statistics.h - private statistics of a table.
 *
 * A declaration (dpnoise/declaration.h) is compiled into a query: which sums are formed for each group, on which grids, how
 * far one unit can move them, and the plan of noise with the least error for all of them together. All that is public and
 * done before anything is spent. Then, in this order: charge the ledger, open the tally, give it the rows, ask for the answer.
 *
 * Example
 *     const char question[] = "{\"statistics\": [{\"kind\": \"sum\", \"column\": \"income\", \"lower\": \"0\","
 *                             " \"upper\": \"200000\"}], \"epsilon\": \"0.5\"}";
 *     const dpn_field row[] = {{"51300", 5}, {"48000", 5}}; // two rows of one column
 *     dpn_ledger_charge charge = {.name = "people", .relation = DPN_ADD_REMOVE};
 *     dpn_declaration declaration;
 *     dpn_query *query;
 *     dpn_ledger *ledger;
 *     dpn_account account;
 *     dpn_receipt receipt;
 *     dpn_tally *tally;
 *     dpn_answer *answer;
 *     dpn_error why;
 *     if (dpn_declaration_read(&declaration, question, sizeof question - 1, &why) ||
 *         dpn_query_new(&query, &declaration, NULL, &why) ||
 *         dpn_ledger_open(&ledger, "people.db", NULL, &why) ||
 *         dpn_ledger_account(&account, ledger, "people", &why) ||
 *         dpn_query_charge(&charge.charge, query, account.filter, &why) ||
 *         dpn_ledger_spend(&receipt, ledger, &charge, &why) || // from here on rows may be read
 *         dpn_tally_new(&tally, query, rng, &why) ||
 *         dpn_tally_rows(tally, row, 2, &why) || // as often as there are more
 *         dpn_query_answer(&answer, query, tally, rng, &why))
 *         return puts(why.sentence);
 *     printf("%s: %g\n", answer->output[0], answer->cell[0].value);
 *     dpn_answer_free(answer);
 *     dpn_tally_free(tally);
 *     dpn_account_free(&account);
 *     dpn_ledger_close(ledger);
 *     dpn_query_free(query);
 *     dpn_declaration_free(&declaration);
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
 * Errors   those of dpn_declaration_check and dpn_release_new; DPN_EDOMAIN if keys are unknown and delta is 0. */
DPN_API DPN_MUST_CHECK dpn_status dpn_query_new(dpn_query **out, const dpn_declaration *declaration,
                                                const dpn_calibration_options *options, dpn_error *why);

/* The same without noise: what a worker needs that counts rows for others. It has columns, groups and outputs, and tallies whose
 * states those of the query take; no cells, charge or answer (DPN_EDOMAIN). Nothing is calibrated, which is most of the work.
 * Errors   those of dpn_declaration_check; DPN_EDOMAIN, DPN_EUNSUPPORTED, DPN_ENOMEM.
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_query_new_shape(dpn_query **out, const dpn_declaration *declaration,
                                                      dpn_error *why);
DPN_API void dpn_query_free(dpn_query *query);

/* The columns of the table that the query reads, in the order in which dpn_tally_rows wants their fields; each once.
 * NULL past the end. */
DPN_API const char *dpn_query_column(const dpn_query *query, size_t index);

/* What stands in the answer: the groups (0 until the tally if keys are unknown) and the output columns, with their names:
 * "count", "sum(income)", "mean(income)", "variance(income)", "histogram(age)[0,18)", "quantile(age,0.5)",
 * "covariance(a,b)", and "left out" last if that is asked. NULL past the end. */
DPN_API size_t dpn_query_groups(const dpn_query *query);
DPN_API const char *dpn_query_output(const dpn_query *query, size_t index);

/* One sum that is formed in each group and gets noise: the cells of the plan. For a histogram it stands for every bin, for
 * a level of the tree that quantiles with a step share for every node. */
typedef struct dpn_query_cell {
    const char *name;   /* "count", "sum(income - 100000)", ... */
    double sensitivity; /* how far one unit moves it in one group, in its unit */
    double grid;        /* its step */
    double variance;    /* of the noise */
    double interval95;  /* half-width */
    double naive95;     /* half-width if each cell had an equal share of epsilon and delta and its own noise */
} dpn_query_cell;

/* What was asked for, as exact numbers; the cells 0 .. count - 1; how many groups one unit can move; the plan of one group's cells, NULL if there are none
 * (quantiles without a step only); the number of these and the epsilon of each in each group; the threshold and its delta if keys are unknown. */
typedef struct dpn_query_facts {
    dpn_decimal epsilon, delta;
    size_t cells;
    const dpn_query_cell *cell;
    uint64_t moved_groups;
    const dpn_plan *plan;
    double quantile_epsilon;
    size_t quantiles;
    int64_t threshold; /* a key appears if its noisy number of persons is above it */
    double threshold_delta;
    bool unknown_keys;
    bool count_is_public; /* under replace, if every row is used whatever it holds, their number is taken for known */
} dpn_query_facts;
DPN_API dpn_query_facts dpn_query_look(const dpn_query *query);

/* What an output column's error will be in every group: half the width of its 95% interval, NaN if it depends on the answer
 * (means, variances, quantiles with a step) or is measured in ranks (other quantiles). */
DPN_API double dpn_query_interval95(const dpn_query *query, size_t output);

/* The same in a group of `rows` rows. Of a mean, the farther end of its interval at sums without noise, for the mean within the bounds that makes
 * it farthest; of other outputs dpn_query_interval95. With unknown keys, where the rows are far above the threshold.
 * Domain   rows >= 1; else NaN. */
DPN_API double dpn_query_interval95_at(const dpn_query *query, size_t output, double rows);

/* Of a count or a bin, the half-width of its proportion of `rows` rows, whose number is known: the same for every proportion. NaN for other
 * outputs and rows below 1. */
DPN_API double dpn_query_proportion95(const dpn_query *query, size_t output, double rows);

/* The charge for a filter. Noise is counted as pure or by its divergences, whichever leaves the most; unknown keys add the
 * probability that their threshold fails, threshold_delta above, and nothing else, to its delta. With quantiles beside noise
 * that is not pure it is the declared epsilon and delta.
 * Errors   those of dpn_plan_charge. */
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

/* Keep to this much memory, in bytes, for persons and for keys that are not declared; of this tally and those that are split from it
 * together, each an equal part. What is beyond it goes to a file in the directory that has no name, is for this process alone
 * (mode 0600), is encrypted with a key that is in its memory only, and is gone with the tally. The sums are the same, bit by bit
 * (docs/proofs/release/overflow.md). The limit does not count what the declaration and the longest row take.
 * Whether there is that much memory and such a file is found out now, so that it can be refused before a charge; where memory is
 * scarce later, more goes to the disk. A tally that needs no such memory does nothing here.
 * Domain   a tally without rows that was not split; bytes >= DPN_TALLY_LEAST_MEMORY, more where max_rows or the sums of a key are many.
 * Errors   DPN_EDOMAIN, DPN_ENOMEM, DPN_EENTROPY; DPN_EIO if there can be no file. From then on rows, sums, merges, states and the answer
 *          give DPN_EIO too, if the disk is full or fails. */
enum { DPN_TALLY_LEAST_MEMORY = 1 << 24 };
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_limit(dpn_tally *tally, uint64_t bytes, const char *directory,
                                                  dpn_error *why);

/* Another tally with the same secret, for another thread: merge it later. */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_split(dpn_tally **out, const dpn_tally *tally, dpn_error *why);

/* Add rows: rows times the query's columns, row by row. The sums do not depend on the order of the rows.
 * A row counts if the predicates hold and its levels are declared, byte by byte; a NULL is the level "". Nothing that a row holds
 * makes this fail. A row that cannot be used is left out of the whole question: one with a field that is not a number where
 * a statistic needs one (unless a value is declared for it, dpn_declaration.missing) or where a predicate compares by size, with a
 * key that is not UTF-8 or has a NUL byte, or without a person. Whether it is depends on that row alone.
 * Domain   a number is a decimal of any size and length, with spaces or tabs around it or not: 1e999999999 is clamped like any
 *          other. "inf", "nan", hexadecimals and commas are no numbers. A NULL, empty or blank field is missing, and so is one
 *          of the declared words (dpn_declaration.na).
 * Errors   DPN_ENOMEM; DPN_EDOMAIN beyond 2^36 rows. After an error the tally is of no more use. */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_rows(dpn_tally *tally, const dpn_field *field, size_t rows, dpn_error *why);

/* Add rows that have no fields, because the source could not make any of them (dpn_table_unusable): each takes the declared value
 * in every column, or is left out and, without groups and persons, counted as such.
 * Errors   those of dpn_tally_rows. */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_unusable(dpn_tally *tally, uint64_t rows, dpn_error *why);

/* Whether dpn_tally_rows would leave a row out, for the curator. Nothing is added.
 * Errors   DPN_EPARSE if it would, with a sentence that names the column and not the value; DPN_EDOMAIN. */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_explain(dpn_tally *tally, const dpn_field *row, dpn_error *why);

/* A value of a row, where a table has types. It stands for a text, and what dpn_tally_rows says of that holds: an integer for
 * its digits; a real for what dpn_number_print writes, the shortest decimal that reads back to it (0.3 is 3/10, not the double
 * below it), and -0 for 0; NaN and MISSING for NULL. Infinities are no numbers.
 */
typedef enum dpn_value_kind { DPN_VALUE_MISSING, DPN_VALUE_INTEGER, DPN_VALUE_REAL, DPN_VALUE_TEXT } dpn_value_kind;
typedef struct dpn_value {
    dpn_value_kind kind;
    union {
        int64_t integer;
        double real;
        dpn_field text;
    } as;
} dpn_value;

/* Add rows of values: as dpn_tally_rows, with the same sums.
 * Errors   those of dpn_tally_rows; DPN_EDOMAIN for a kind that there is not, with nothing added.
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_values(dpn_tally *tally, const dpn_value *value, size_t rows,
                                                   dpn_error *why);

/* A column in memory. The value of row i is the int64_t, double or dpn_field (of MISSING: nothing) at data + (first + i) stride, in
 * bytes, aligned or not; with a stride of 0 all rows have the same. It is missing if `valid` is not NULL and bit first + i of it
 * is 0, the lowest bit of a byte first.
 */
typedef struct dpn_column {
    dpn_value_kind kind;
    const void *data;
    size_t stride;
    const unsigned char *valid;
    size_t first;
} dpn_column;

/* Add rows by columns, as many of them as the query has, in its order: the same sums again.
 * Errors   those of dpn_tally_values.
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_columns(dpn_tally *tally, const dpn_column *column, size_t rows,
                                                    dpn_error *why);

/* How many numbers dpn_tally_add_sums takes. */
DPN_API size_t dpn_query_sums(const dpn_query *query);

/* Add sums that an engine has made of one group's rows: a number for each cell of dpn_query_look, in steps of its grid (0 for a
 * histogram or a level of a tree), then a count for each bin of all histograms, then one for each candidate of all trees (of the
 * values above the candidate before and not above it; the first and last without an end), then one for each interval of all other
 * quantiles. With persons, the rows
 * have to be those that the lottery keeps, and no person's rows may also come in another way. `key` has a text for each grouping.
 * Domain   numbers that `rows` rows can have: each within rows times the bound of one row, and the count, where there is one,
 *          is the number of rows that are not left out.
 * Errors   DPN_EDOMAIN, with a word for the number, or for a key that is not among the levels; DPN_ENOMEM. On error nothing is
 *          added.
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_add_sums(dpn_tally *tally, const dpn_field *key, uint64_t rows,
                                                     const int64_t *sum, dpn_error *why);

/* Add what another tally of the same query holds. `from` is of no more use but has to be freed. */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_merge(dpn_tally *into, dpn_tally *from, dpn_error *why);
DPN_API void dpn_tally_free(dpn_tally *tally);

/* ---- The state of a tally, for other processes ---- */

/* All that a tally holds, as bytes: exact sums and, with persons, what their rows add. They are as confidential as the table. Tallies
 * of one shape and secret that hold the same rows have the same bytes, however the rows came. dpn_tally_state_free wipes and
 * frees them. The tally goes on.
 * Errors   DPN_EDOMAIN for a tally that has given its answer or failed; DPN_ENOMEM. On error nothing is written.
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_write(unsigned char **out, size_t *length, dpn_tally *tally,
                                                  dpn_error *why);
DPN_API void dpn_tally_state_free(unsigned char *state, size_t length);

/* Add what such bytes hold, made by any process of a query of the same shape: columns, groups, predicates, persons and their
 * limits, sums and grids, bins. The guarantee and the noise may differ: they are those of the query that answers. Each state is to be
 * added once, and each answer needs a charge of its own.
 * Errors   DPN_EDOMAIN for the state of another shape or secret, with a sentence that says what differs, or for too many rows;
 *          DPN_EUNSUPPORTED for another version; DPN_EPARSE for bytes that no tally wrote, as far as that can be told: numbers
 *          have to be possible for their rows. On these errors the tally is as before. DPN_ENOMEM; the tally is then of no more use.
 */
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_add_state(dpn_tally *tally, const unsigned char *state, size_t length,
                                                      dpn_error *why);

/* Whether dpn_tally_add_state would take these bytes, which are read in the same way and to their end, and their name, which no other state
 * has: SHA-256 of them in hexadecimal digits. To be asked before a charge: no state that a tally wrote is refused, whatever its rows were, so
 * that this tells nothing of them, and one that passes is not refused afterwards. Of several states that are one by one within the
 * rows that a table may have, all together may be beyond: add them to a tally of their own first.
 * Errors   those of dpn_tally_add_state. The tally is as before. On error *name is not written. */
enum { DPN_TALLY_STATE_NAME_SIZE = 65 };
DPN_API DPN_MUST_CHECK dpn_status dpn_tally_check_state(char name[DPN_TALLY_STATE_NAME_SIZE], const dpn_tally *tally,
                                                        const unsigned char *state, size_t length, dpn_error *why);

/* ---- The answer ---- */

/* What a 95% interval promises, about the rows of this table after clamping and the cut of persons, never about a population
 * (docs/proofs/release/intervals.md):
 *   EXACT         it holds the true number in 95% of all releases, whatever the table is; in a few more where noise comes in steps.
 *   CONSERVATIVE  in 95% or more; for some tables in nearly all. Means, variances, covariances and quantiles.
 *   CONDITIONAL   in 95% or more of the releases that show this key, whose noisy number of persons exceeded the threshold.
 *   UNSTATED      there is no interval, or the answer was stored before intervals had labels. */
typedef enum dpn_interval_kind {
    DPN_INTERVAL_UNSTATED,
    DPN_INTERVAL_EXACT,
    DPN_INTERVAL_CONSERVATIVE,
    DPN_INTERVAL_CONDITIONAL,
} dpn_interval_kind;

/* "exact", "conservative", "conditional"; NULL for UNSTATED and past the end. */
DPN_API const char *dpn_interval_kind_name(dpn_interval_kind kind);

typedef struct dpn_answer_cell {
    double value;     /* rounded to what the noise supports, see digits; NaN if nothing can be said */
    double low, high; /* the 95% interval; of a quantile without a step NaN */
    /* Of a quantile without a step, else NaN: with 95% its rank is off by at most this more than that of the best candidate edge, which is
     * itself off by up to half the values between two edges. */
    double rank95;
    int digits; /* decimals after the point that are worth printing, negative: zeros before it */
    dpn_interval_kind kind;
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
 *          of dpn_release_draw; DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_query_answer(dpn_answer **out, const dpn_query *query, dpn_tally *tally,
                                                   dpn_rng *rng, dpn_error *why);
DPN_API void dpn_answer_free(dpn_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
