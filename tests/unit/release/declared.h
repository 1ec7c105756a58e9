/* Declarations in tests: read, written, compared. What fails ends the test. */
#ifndef DPN_TESTS_DECLARED_H
#define DPN_TESTS_DECLARED_H

#include <dpnoise/declaration.h>

dpn_declaration declared_read(const char *json);
char *declared_write(const dpn_declaration *declaration); /* to be freed */

/* Fail unless they are equal member by member. */
void declared_same(const dpn_declaration *a, const dpn_declaration *b);

/* JSON with single quotes for double ones. Returns out. */
enum { DECLARED_SIZE = 2048 };
char *declared_quotes(char out[DECLARED_SIZE], const char *json);

/* Parts as they are typed in a shell: a kind of statistic, or one of these. */
enum { DECLARED_BY = 100, DECLARED_LEVELS, DECLARED_WHERE, DECLARED_MISSING, DECLARED_NA };
dpn_status declared_type(dpn_declaration *declaration, unsigned part, const char *text, dpn_error *why);

#endif
