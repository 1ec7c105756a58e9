/* Tables to try the tool with. */
#ifndef DPNOISE_CLI_EXAMPLE_EXAMPLE_H
#define DPNOISE_CLI_EXAMPLE_EXAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

void example_census(FILE *out, uint64_t rows);

#endif
