/* What the files of the PostgreSQL extension share.
 *
 * Two rules keep the server and the library apart. PostgreSQL reports errors by longjmp: nothing that can raise one is called from
 * the library, or while the library is on the stack. And what the library allocates hangs on a memory context before anything can
 * raise: the context frees it, however the statement ends.
 */
#ifndef DPN_POSTGRES_FRONT_H
#define DPN_POSTGRES_FRONT_H

/* clang-format off: PostgreSQL's own header comes first */
#include <postgres.h>
/* clang-format on */
#include <fmgr.h>
#include <utils/memutils.h>
#include <utils/tuplestore.h>
#if PG_VERSION_NUM >= 160000
#include <varatt.h> /* which postgres.h had until then */
#endif

#include <dpnoise/dpnoise.h>

/* ---- Errors ---- */

/* Raise a failure of the library: its sentence, with the SQLSTATE of its status. */
void front_raise(const dpn_error *why) pg_attribute_noreturn();

/* Raise it if there is one. */
#define FRONT_CHECK(status, why)      \
    do {                              \
        if (status) front_raise(why); \
    } while (0)

/* Whether somebody wants the statement to end: for the library's callbacks, which must not raise. */
bool front_cancelled(void *unused);

/* ---- Memory ---- */

/* What the current memory context frees when it is reset. It is made before what it holds, because making it can raise. */
typedef struct Held {
    MemoryContextCallback callback;
    void *what;
    void (*free)(void *what);
} Held;
Held *front_hold(void (*free)(void *what));

/* Free it now. */
void front_let_go(Held *held);

/* ---- The random source of this backend: made after the fork, when it is first needed ---- */
dpn_rng *front_rng(void);

/* ---- Arguments and results ---- */

/* A text, as a C string. */
char *front_text(Datum datum);

/* The rows of a function that returns a set, and its row type. Only the whole set is given, which is all that a plan needs. */
typedef struct Rows {
    Tuplestorestate *store;
    TupleDesc shape;
} Rows;
Rows front_rows(FunctionCallInfo fcinfo);

/* A double as a column: NaN is NULL. */
void front_put_double(Datum *value, bool *null, double x);

#endif
