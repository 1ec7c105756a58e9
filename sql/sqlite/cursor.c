/* What table-valued functions share. */
#include "sqlite/cursor.h"

#include <math.h>
#include <string.h>

enum { MOST_ARGUMENTS = 31 };

int front_arguments(sqlite3_vtab *table, sqlite3_index_info *plan, int first) {
    int place[MOST_ARGUMENTS], given = 0;
    unsigned found = 0;
    for (int i = 0; i < plan->nConstraint; i++) {
        int argument = plan->aConstraint[i].iColumn - first;
        if (argument < 0 || argument >= MOST_ARGUMENTS || plan->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        if (!plan->aConstraint[i].usable) return SQLITE_CONSTRAINT;
        if (found >> argument & 1) {
            sqlite3_free(table->zErrMsg);
            table->zErrMsg = sqlite3_mprintf("an argument is given twice");
            return SQLITE_ERROR;
        }
        place[argument] = i;
        found |= 1u << argument;
    }
    for (int argument = 0; argument < MOST_ARGUMENTS; argument++) {
        if (!(found >> argument & 1)) continue;
        plan->aConstraintUsage[place[argument]].argvIndex = ++given;
        plan->aConstraintUsage[place[argument]].omit = 1;
    }
    plan->idxNum = (int)found;
    plan->estimatedCost = 1e6;
    return SQLITE_OK;
}

void *front_zeros(size_t size) {
    void *made = sqlite3_malloc64(size);
    if (made) memset(made, 0, size);
    return made;
}

int front_disconnect(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

int front_next(sqlite3_vtab_cursor *base) {
    ((front_cursor *)base)->place++;
    return SQLITE_OK;
}

int front_eof(sqlite3_vtab_cursor *base) {
    return ((front_cursor *)base)->place >= ((front_cursor *)base)->rows;
}

int front_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out) {
    *out = (sqlite3_int64)((front_cursor *)base)->place;
    return SQLITE_OK;
}

int front_fail(sqlite3_vtab_cursor *base, const char *sentence) {
    sqlite3_free(base->pVtab->zErrMsg);
    base->pVtab->zErrMsg = sqlite3_mprintf("%s", sentence);
    return SQLITE_ERROR;
}

void front_put_number(sqlite3_context *call, double x) {
    if (!isnan(x)) sqlite3_result_double(call, x);
}
