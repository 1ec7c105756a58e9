/* dpnoise/declaration.h - what is to be released of a table, all of it public.
 *
 * A declaration names statistics, groups, bounds, the unit that is protected and the guarantee. It is made before the
 * data are looked at, and nothing in it may come from the data. As text it is JSON, with every number as text:
 *
 *     {"statistics": [{"kind": "count"}, {"kind": "mean", "column": "income", "lower": "0", "upper": "200000"},
 *                     {"kind": "histogram", "column": "age", "edges": ["0", "18", "65", "120"]},
 *                     {"kind": "quantile", "column": "age", "quantile": "0.5", "lower": "0", "upper": "120", "step": "1"},
 *                     {"kind": "covariance", "columns": ["a", "b"], "lower": ["0", "0"], "upper": ["1", "10"]}],
 *      "by": [{"column": "region", "levels": ["north", "south"]}, {"column": "education"}],
 *      "where": [{"column": "age", "is": ">=", "value": "18"}],
 *      "person": "id", "max_rows": "1", "max_groups": "1", "relation": "add-remove",
 *      "epsilon": "1", "delta": "1e-6", "missing": "skip", "na": ["NA", "?"], "count_left_out": false,
 *      "noise": "best", "nonnegative": false, "consistent": false}
 *
 * In brief, a statistic of each kind may be a member of its own, as it is typed in a shell (dpn_declare_statistic), and so may predicates;
 * a column of `by` may be its name:
 *
 *     {"count": true, "mean": ["income:0:200000", "age:0:120"], "by": ["region"], "where": ["age>=18"], "epsilon": "1"}
 *
 * Equal declarations have equal texts as dpn_declaration_write makes them: that text is the specification under which a
 * ledger keeps the answer.
 */
#ifndef DPNOISE_DECLARATION_H
#define DPNOISE_DECLARATION_H

#include <dpnoise/privacy.h>
#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dpn_statistic_kind {
    DPN_STATISTIC_COUNT,
    DPN_STATISTIC_SUM,
    DPN_STATISTIC_MEAN,
    DPN_STATISTIC_VARIANCE,
    DPN_STATISTIC_HISTOGRAM,
    DPN_STATISTIC_QUANTILE,
    DPN_STATISTIC_COVARIANCE,
} dpn_statistic_kind;

/* "count", "sum", "mean", "variance", "histogram", "quantile", "covariance"; NULL past the end. */
DPN_API const char *dpn_statistic_kind_name(dpn_statistic_kind kind);

/* All texts and arrays of a declaration are allocated with malloc and freed by dpn_declaration_free. Numbers are
 * decimal text, exact, with up to 45 digits before the point and 405 after it; the functions below keep them in the
 * form of dpn_decimal_print, so that 0.50 and 5e-1 become 0.5. Names, levels and values are up to 200 bytes of UTF-8
 * without control characters. */
enum { DPN_DECLARATION_NAME_SIZE = 201 };

typedef struct dpn_statistic {
    dpn_statistic_kind kind;
    char **column; /* none for a count, two or more for a covariance, else one */
    size_t columns;
    /* What each column's values are clamped to; NULL for counts and histograms, and where a registration is to supply them
     * (dpn_registration_apply) before dpn_declaration_check asks for them. */
    char **lower, **upper;
    /* Of a histogram: bins [edge i, edge i+1), the last one closed; "-inf" and "inf" may stand at the ends. Values
     * outside are in no bin. Of a quantile: the candidates, finite, from lower to upper; NULL: equal steps between
     * them. */
    char **edge;
    size_t edges;
    char *quantile; /* in (0, 1), of a quantile */
    /* Of a quantile without edges: the candidates are lower, lower + step, ..., upper, and its interval is told in the unit
     * of the column. NULL: one candidate is chosen by the exponential mechanism, and its error is told in ranks. */
    char *step;
} dpn_statistic;

typedef struct dpn_grouping {
    char *column;
    char **level; /* the public list of its levels; NULL: unknown, the keys that appear are chosen privately */
    size_t levels;
    bool levels_only; /* not in `by` (yet), see dpn_declare_levels; dpn_declaration_check refuses it */
} dpn_grouping;

typedef enum dpn_predicate_is {
    DPN_IS_EQUAL,
    DPN_IS_NOT_EQUAL,
    DPN_IS_LESS,
    DPN_IS_LESS_OR_EQUAL,
    DPN_IS_GREATER,
    DPN_IS_GREATER_OR_EQUAL,
} dpn_predicate_is;

/* "=", "!=", "<", "<=", ">", ">="; NULL past the end. */
DPN_API const char *dpn_predicate_is_name(dpn_predicate_is is);

/* A row counts only if all predicates hold. Equality compares text, and numbers if the value is one; an order compares
 * numbers. A missing field satisfies none. */
typedef struct dpn_predicate {
    char *column;
    dpn_predicate_is is;
    char *value;
} dpn_predicate;

/* What becomes of a row that the question cannot use: a field that is missing or not a number where a statistic needs one. It is
 * the same public rule for every row, so that nothing in the data can make a release fail. A row that cannot be used for
 * another reason (a predicate that needs a number, a key that is not UTF-8, no person) is left out under each of them. */
typedef enum dpn_missing {
    DPN_MISSING_REFUSE, /* of old texts: a release that fails tells about a row, and dpn_declaration_check says what to write now */
    DPN_MISSING_SKIP,  /* the row is left out of the whole question */
    DPN_MISSING_VALUE, /* the field takes the value that is declared */
} dpn_missing;

/* How a person is bounded. */
typedef enum dpn_per_person {
    DPN_PER_PERSON_ROWS, /* at most max_rows rows in each group count, chosen by lot */
    DPN_PER_PERSON_SUM, /* all rows count: in each group the person adds the sum of its rows' values, clamped to the bounds */
    DPN_PER_PERSON_MEAN, /* or their mean, clamped to the bounds */
} dpn_per_person;

/* "rows", "sum", "mean"; NULL past the end. */
DPN_API const char *dpn_per_person_name(dpn_per_person per_person);

/* Members that have a default because nobody said them: a registration has another one for them. */
typedef enum dpn_unsaid {
    DPN_UNSAID_MAX_ROWS = 1,
    DPN_UNSAID_MAX_GROUPS = 2,
    DPN_UNSAID_RELATION = 4,
    DPN_UNSAID_DELTA = 8,
    DPN_UNSAID_MISSING = 16,
} dpn_unsaid;

/* To start one from nothing, read the text {}: all zero it would say "replace", and zero rows of a person. */
typedef struct dpn_declaration {
    dpn_statistic *statistic;
    size_t statistics;
    dpn_grouping *by;
    size_t bys;
    dpn_predicate *where;
    size_t wheres;
    char *person;                  /* the column that tells persons apart; NULL: every row is a unit of its own */
    uint64_t max_rows, max_groups; /* of a person: rows in each group, groups; 1 each if there is no person */
    dpn_relation relation;
    char *epsilon, *delta; /* a delta of NULL is 0 */
    dpn_missing missing;
    char *missing_value; /* a number for DPN_MISSING_VALUE, else NULL */
    char **na;           /* words that stand for a missing field, in every column; blanks around them do not matter */
    size_t nas;
    bool count_left_out; /* a statistic "left out" too: how many rows of each group are, see docs/declaration.md */
    char *noise;         /* a name for dpn_release_options.family; NULL: the best of the quick ones */
    bool nonnegative, consistent;
    /* Of dpn_unsaid, what the text that was read did not hold. Whoever sets such a member afterwards takes it from here; it
     * matters to dpn_registration_apply alone. */
    unsigned unsaid;
    /* With SUM or MEAN, which need a person, statistics are about persons: a count counts them, a mean is that of what each adds. There
     * are counts, sums, means, variances and covariances then, and max_rows is 1. */
    dpn_per_person per_person;
} dpn_declaration;

/* Read the JSON text of a declaration.
 * Domain   what is absent or null has its default: no statistics, no groups, no predicates, no person, max_rows and
 *          max_groups 1, per_person "rows", add-remove, delta 0, missing "skip", no post-processing. Unknown members and members given
 *          twice are refused. Numbers are strings or JSON numbers, and read by their text. A missing epsilon stays
 *          NULL, for a caller that has it from elsewhere. A quantile has lower and upper, perhaps with a
 *          step, or edges whose ends they are.
 * Errors   DPN_EPARSE, with a sentence that names the member; DPN_EDOMAIN for a number with more digits than there is
 *          room for (1e999999999), refused before it is expanded; DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_declaration_read(dpn_declaration *out, const char *text, size_t length,
                                                       dpn_error *why);

/* The declaration as text, to be freed with free(): one line, the members in a fixed order, without the defaults,
 * numbers in the form of dpn_decimal_print, predicates sorted and each once, so that declarations that ask the same
 * have the same text. Statistics and groups keep their order, which is that of the answer. Read, it is the same
 * declaration again.
 * Domain   what dpn_declaration_check accepts; epsilon may still be NULL. length may be NULL.
 * Errors   DPN_EDOMAIN for levels of a column that is not in by, which no text holds; DPN_ENOMEM. On error nothing is
 *          written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_declaration_write(char **text, size_t *length, const dpn_declaration *declaration,
                                                        dpn_error *why);

/* What a declaration may hold at most: groupings, predicates, groups (the product of the numbers of levels), columns of
 * a covariance, and cells (groups times the numbers in each: bins of a histogram, steps of a quantile, pairs of
 * columns), and words for a missing field. */
enum {
    DPN_DECLARATION_BYS = 64,
    DPN_DECLARATION_WHERES = 1000,
    DPN_DECLARATION_GROUPS = 1000000,
    DPN_DECLARATION_COLUMNS = 1000,
    DPN_DECLARATION_CELLS = 1000000,
    DPN_DECLARATION_NAS = 100,
};

/* Whether a declaration makes sense by itself:
 *   at least one statistic, none twice; columns that are named; bounds that are numbers, lower < upper; edges that
 *   ascend; quantiles in (0, 1), with a step that divides upper - lower; two or more columns of a covariance, all different; no statistic of a column that is
 *   in `by` (constant in each group) or tells persons apart;
 *   no column twice in `by`; levels that are not repeated and not empty, for columns of `by` alone; delta > 0 if levels
 *   are unknown; predicates with a value, a number if they order;
 *   missing that is not "refuse", with a value that is a number; words for missing fields that are names, each once;
 *   max_rows and max_groups from 1 to 10^9, more than 1 only with a person, max_groups also only with groups;
 *   per_person with a person, without histograms and quantiles, and with max_rows 1;
 *   epsilon > 0, 0 <= delta < 1, neither below the least normal double (2.2250738585072014e-308) unless delta is 0; a
 *   noise that exists; no more of anything than the limits above.
 * Errors   DPN_EDOMAIN, DPN_EPARSE with a sentence that names the part; DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_declaration_check(const dpn_declaration *declaration, dpn_error *why);

/* Parts as they are typed in a shell. Each appends to the declaration. What they mean together is for
 * dpn_declaration_check.
 *   statistic   kind "count": NULL or nothing; "sum", "mean", "variance" income:0:200000; "histogram" age:0,18,65,120
 *               or age:0:100:10 (ten equal bins, whose edges must be decimals); "quantile" age:0.5:0:120:1 (candidates
 *               in steps of 1), age:0.5:0:120 or age:0.5:0,18,65,120; "covariance" a:0:1,b:0:10. Several of one kind are separated by
 *               repeating the call.
 *   by          region,education
 *   levels      region=north,south, for a column of `by`, which may come before or after; each column once
 *   where       age>=18; the comparisons of dpn_predicate_is_name
 *   missing     skip, or value:0; it replaces what was declared before
 *   na          NA,?,.
 * Bounds may be left out, all of a statistic's, where a registration supplies them: income, age:0.5, a,b.
 * Blanks around a word are dropped. A word with a separator, a blank at its ends or a quote is written in double
 * quotes, a quote within them twice: "a:b":0:1, state="North, East".
 * Errors   DPN_EPARSE with a sentence; DPN_EDOMAIN for a number with more digits than there is room for; DPN_ENOMEM. On
 *          error the declaration is as before. */
DPN_API DPN_MUST_CHECK dpn_status dpn_declare_statistic(dpn_declaration *declaration, dpn_statistic_kind kind,
                                                        const char *text, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_declare_by(dpn_declaration *declaration, const char *text, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_declare_levels(dpn_declaration *declaration, const char *text, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_declare_where(dpn_declaration *declaration, const char *text, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_declare_missing(dpn_declaration *declaration, const char *text, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_declare_na(dpn_declaration *declaration, const char *text, dpn_error *why);

/* Free what a declaration holds and make it all zero. Accepts NULL. */
DPN_API void dpn_declaration_free(dpn_declaration *declaration);

/* A copy, text by text as it is; whether it makes sense is not asked, and a part that is NULL stays NULL.
 * Errors   DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_declaration_copy(dpn_declaration *out, const dpn_declaration *declaration,
                                                       dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
