/* dpnoise/registration.h - a data set as its curator registers it: where it is, what its columns are, who is protected,
 * and how much one question may ask.
 *
 * A registration is public, like a declaration, and nothing in it may come from the data. A ledger holds its text
 * (dpn_ledger_register). Questions then name columns, and need no bounds or levels; what they do say may narrow what is
 * registered, never widen it. As text it is JSON, with every number as text; only "source" is needed:
 *
 *     {"source": {"kind": "file", "path": "/data/people.csv"},
 *      "columns": [{"name": "income", "type": "number", "lower": "0", "upper": "200000", "unit": "EUR"},
 *                  {"name": "region", "type": "category", "levels": ["north", "south"]},
 *                  {"name": "education", "type": "category"}, {"name": "note", "type": "text"}],
 *      "where": ["region", "income"], "person": "id", "max_rows": "5", "max_groups": "3", "relation": "add-remove",
 *      "missing": "skip", "na": ["NA", "?"], "multiline": false, "population": "100000",
 *      "least_epsilon": "0.001", "most_epsilon": "1", "most_delta": "1e-6",
 *      "memory": "1073741824", "log": "/data/people.log"}
 *
 * Other sources are {"kind": "sqlite", "path": "/data/p.db", "table": "people"}, {"kind": "postgresql", "system": "7301...",
 * "database": "d", "schema": "public", "table": "people", "connect": "postgresql://host/d"} and {"kind": "declared",
 * "what": "standard input"}. The library opens none of them: it compares texts, fronts find the data.
 */
#ifndef DPNOISE_REGISTRATION_H
#define DPNOISE_REGISTRATION_H

#include <dpnoise/declaration.h>
#include <dpnoise/decimal.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dpn_place_kind {
    DPN_PLACE_FILE,
    DPN_PLACE_SQLITE,
    DPN_PLACE_POSTGRESQL,
    DPN_PLACE_DECLARED, /* standard input, a data frame: what only its curator can recognise */
    DPN_PLACE_DUCKDB,
} dpn_place_kind;

/* "file", "sqlite", "postgresql", "declared", "duckdb"; NULL past the end. */
DPN_API const char *dpn_place_kind_name(dpn_place_kind kind);

/* Where the data are. Each kind has the members that are named for it, and NULL for the others. Texts are up to 4095 bytes
 * of UTF-8 without control characters. */
typedef struct dpn_place {
    dpn_place_kind kind;
    char *path;  /* of a file, absolute: that of a table of rows, or of a database of SQLite or DuckDB */
    char *table; /* sqlite, postgresql, duckdb */
    char *system, *database, *schema;
    char *connect; /* how the server is reached, which is no part of what it is; may be NULL */
    char *what;    /* declared */
} dpn_place;

typedef enum dpn_column_type {
    DPN_COLUMN_NUMBER,   /* has bounds: sums, means, histograms ... */
    DPN_COLUMN_CATEGORY, /* forms groups; has levels, or they are chosen privately */
    DPN_COLUMN_TEXT,     /* neither; predicates may use it if `where` says so */
} dpn_column_type;

/* "number", "category", "text"; NULL past the end. */
DPN_API const char *dpn_column_type_name(dpn_column_type type);

/* A column. Names, levels and numbers are those of declarations. */
typedef struct dpn_registered_column {
    char *name;
    dpn_column_type type;
    char *lower, *upper; /* of a number: what values are clamped to, at the widest */
    char *unit;          /* of a number: its unit of measure; may be NULL */
    char **level;        /* of a category; NULL: unknown */
    size_t levels;
} dpn_registered_column;

enum { DPN_REGISTRATION_COLUMNS = 2000 }; /* at most */

/* All texts and arrays are allocated with malloc and freed by dpn_registration_free. To start one from nothing, read the text
 * {"source": {"kind": "declared", "what": "..."}}. */
typedef struct dpn_registration {
    dpn_place source;
    dpn_registered_column *column;
    size_t columns;
    char **where; /* the columns that predicates may use; NULL: none */
    size_t wheres;
    char *person; /* NULL: every row is a unit of its own */
    uint64_t max_rows, max_groups;
    dpn_relation relation;
    char *missing; /* "skip" or "value:V", as in declarations */
    char **na;     /* further words that stand for a missing field; NULL: none */
    size_t nas;
    bool multiline;      /* quoted fields may hold line breaks: the quotes are promised to be closed */
    uint64_t population; /* a public number of units, at most 10^15; 0: not said */
    char *least_epsilon, *most_epsilon, *most_delta; /* of one question; NULL: see dpn_registration_settle */
    uint64_t memory;                                 /* bytes for keys and persons; 0: as dpn_question_options say */
    char *log;                                       /* the curator's file of reasons; NULL: none */
} dpn_registration;

/* Read the JSON text of a registration.
 * Domain   what is absent or null has its default: no columns, no predicates, no person, max_rows and max_groups 1,
 *          add-remove, missing "skip". Unknown members and members given twice are refused. Numbers may be JSON numbers
 *          or strings.
 * Errors   DPN_EPARSE, with a sentence that names the member; DPN_EDOMAIN for a number with more digits than there is room
 *          for; DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_registration_read(dpn_registration *out, const char *text, size_t length,
                                                        dpn_error *why);

/* The registration as text, to be freed with free(): one line, the members in a fixed order, without the defaults, numbers in
 * the form of dpn_decimal_print. Read, it is the same registration again. length may be NULL.
 * Domain   what dpn_registration_check accepts.
 * Errors   DPN_ENOMEM. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_registration_write(char **text, size_t *length,
                                                         const dpn_registration *registration, dpn_error *why);

/* Whether a registration makes sense by itself:
 *   a source with its members, paths absolute; columns with different names; numbers with lower < upper; levels that are
 *   not repeated; `where` among the columns, each once; max_rows and max_groups from 1 to 10^9, more than 1 only with a
 *   person; 0 < least_epsilon <= most_epsilon; most_delta < 1.
 * Errors   DPN_EDOMAIN, DPN_EPARSE with a sentence that names the part; DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_registration_check(const dpn_registration *registration, dpn_error *why);

/* Fill in what the curator left out of the limits of one question, for a budget of `total`: least_epsilon is a thousandth of
 * it, at most 0.01 and most_epsilon; most_epsilon is 10, or least_epsilon if that is more. most_delta stays as it is: where
 * there is none, questions (question.h) are held to the delta of the budget.
 * Errors   DPN_EPARSE for limits that are no numbers, DPN_ENOMEM. On error the registration is as before. */
DPN_API DPN_MUST_CHECK dpn_status dpn_registration_settle(dpn_registration *registration, const dpn_decimal *total,
                                                          dpn_error *why);

/* The column of that name; NULL if it is not registered. */
DPN_API const dpn_registered_column *dpn_registration_column(const dpn_registration *registration, const char *name);

/* The identity of a source as text, to be freed with free(): equal for equal sources, without how a server is reached. It
 * is a part of what stored answers are kept under.
 * Errors   DPN_ENOMEM. On error *text is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_place_write(char **text, size_t *length, const dpn_place *place, dpn_error *why);

/* Put a question under a registration: fill in what it leaves unsaid, and refuse what would widen what is registered.
 *   Bounds that are NULL, levels of a column that has some, the person, the relation, the rule for missing fields, and
 *   max_rows and max_groups that are unsaid (dpn_declaration.unsaid) become those registered. A delta that is unsaid and
 *   needed, for keys that are chosen privately, becomes min(1e-6, 1/(10 n^2)) of the population n, 1e-6 if none is said,
 *   at most most_delta.
 *   Refused are: columns that are not registered; numbers of a column that is not of type number, groups of one that is no
 *   category; bounds and edges outside of those registered; levels that are not registered; predicates on columns that are
 *   not in `where`; another person, relation or rule for missing fields; more rows or groups of a person; an epsilon
 *   below least_epsilon or above most_epsilon, a delta above most_delta.
 * Domain   a registration that dpn_registration_check accepts.
 * Result   a declaration that dpn_declaration_check accepts or refuses for reasons of its own: it is still to be asked.
 * Guarantee  The refusals depend on the question and the registration alone, both public. Clamping to narrower bounds,
 *          fewer levels and fewer rows of a person are questions about the registered data that have sensitivities of
 *          their own, so that nothing rests on the refusal but the curator's intent; docs/proofs/question/question.md.
 * Errors   DPN_EDOMAIN, DPN_EPARSE with a sentence that names the part and what is registered; DPN_ENOMEM. On error the
 *          declaration is as before; where memory ran out it may hold some of the values that are registered. */
DPN_API DPN_MUST_CHECK dpn_status dpn_registration_apply(dpn_declaration *declaration,
                                                         const dpn_registration *registration, dpn_error *why);

/* Free what a registration holds and make it all zero. Accepts NULL. */
DPN_API void dpn_registration_free(dpn_registration *registration);

#ifdef __cplusplus
}
#endif

#endif
