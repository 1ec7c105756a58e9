/* Places in words. */
#ifndef DPNOISE_CLI_INPUT_SOURCE_H
#define DPNOISE_CLI_INPUT_SOURCE_H

#include <dpnoise/place.h>
#include <stdio.h>

/* "the file /data/people.csv", "table people of /data/p.db". */
void source_print(FILE *out, const dpn_place *place);

#endif
