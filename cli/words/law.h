/* Laws as people write and read them. */
#ifndef DPNOISE_CLI_WORDS_LAW_H
#define DPNOISE_CLI_WORDS_LAW_H

#include <dpnoise/law.h>
#include <stdio.h>

/* dpn_law_parse, which for an unknown family says which name is near. */
dpn_status law_read(dpn_law *out, const char *text, dpn_error *why);

/* The name of the law's parameter of that index, NULL past the last. */
const char *law_parameter_name(const dpn_law *law, size_t index);

/* The law with its parameters to six digits, cut to the size. Returns text. */
char *law_short(char *text, size_t size, const dpn_law *law);

/* The law as a string of a gnuplot script, its parameters to six digits. */
void law_write_title(FILE *script, const dpn_law *law);

#endif
