/* Registrations and declarations in tests, written with single quotes for double ones. */
#ifndef DPN_TESTS_REGISTERED_H
#define DPN_TESTS_REGISTERED_H

#include <dpnoise/registration.h>

enum { REGISTERED_SIZE = 4000 };

/* JSON with double quotes. Returns out. */
char *registered_quotes(char out[REGISTERED_SIZE], const char *json);

/* Read what must be right. To be freed. */
dpn_registration registered_read(const char *json);
dpn_declaration registered_question(const char *json);

/* A registration that uses every member. */
extern const char registered_people[];

#endif
