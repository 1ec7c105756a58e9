/* What every kind of source provides. dpnoise/table.h is the manual. */
#ifndef DPN_TABLE_TABLE_H
#define DPN_TABLE_TABLE_H

#include <dpnoise/table.h>

enum { DPN_TABLE_ROW_LIMIT = 1 << 20, DPN_TABLE_ROW_MOST = 1 << 30, DPN_TABLE_BUFFER = 128 << 10 };
enum { DPN_TABLE_BATCH = 4096 }; /* fields of a batch, if a row does not have more */

typedef struct dpn_table_kind {
    dpn_status (*want)(dpn_table *table, dpn_error *why); /* table->wanted has been set; NULL: nothing to do */
    dpn_status (*next)(const dpn_field **fields, size_t *rows, dpn_table *table, dpn_error *why);
    dpn_status (*part)(dpn_table *part, const dpn_table *whole, size_t number, size_t parts, dpn_error *why);
    size_t (*parts)(const dpn_table *table);
    double (*progress)(const dpn_table *table);
    /* Fill in an identity that is that of a stream. What it sets is freed when it fails. */
    dpn_status (*identify)(dpn_table_identity *identity, const dpn_table *table, dpn_error *why);
    dpn_column_kind (*type)(const dpn_table *table, size_t column);        /* NULL: unknown */
    dpn_status (*push)(dpn_table *table, const char *sql, dpn_error *why); /* wants are set; NULL: no */
    const char *(*engine)(const char **from, const dpn_table *table);      /* of push */
    void (*close)(void *state);
} dpn_table_kind;

struct dpn_table {
    const dpn_table_kind *kind;
    void *state;  /* of the kind */
    char *source; /* as it was given */
    size_t columns;
    char **names; /* one block of memory with the texts */
    size_t *wanted, wants;
    size_t row_limit, buffer;
    uint64_t rows;
    bool in_order;            /* as the options say */
    uint64_t unusable;        /* rows of which no fields could be made */
    dpn_error first_unusable; /* why, of the first one, for the curator */
    bool begun, ended;
    dpn_error failed; /* its status is DPN_OK unless dpn_table_next has failed */
};

/* The name of a database, or whatever else is a text, as an owned copy. */
dpn_status dpn_table_copy(char **out, const char *text, dpn_error *why);

/* The identity of an open file by the path that it was opened by. The path must still lead to it: a link that is turned meanwhile
 * would give the rows of the one file the place of the other.
 * Errors   DPN_EIO, DPN_ENOMEM; then *out is to be freed. */
dpn_status dpn_table_identify_opened(dpn_table_identity *out, const char *path, uint64_t device, uint64_t inode,
                                     dpn_error *why);

/* Whether a source is the address of a server. */
bool dpn_table_is_server(const char *source);

/* Take over names that were collected: count texts in names[i] of length[i]. Refuses empty ones and equal ones. */
dpn_status dpn_table_name(dpn_table *table, const dpn_field *names, size_t count, dpn_error *why);

/* The kinds. Each is given a table with its limits set and nothing else, and sets kind, state and names; what it has set
 * when it fails is closed by the caller. */
dpn_status dpn_table_open_text(dpn_table *table, const char *path, const dpn_table_options *options, dpn_error *why);
dpn_status dpn_table_open_sqlite(dpn_table *table, const char *path, const dpn_table_options *options, dpn_error *why);
dpn_status dpn_table_open_postgres(dpn_table *table, const char *url, const dpn_table_options *options, dpn_error *why);

#endif
