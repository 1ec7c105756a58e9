/* Pages in HTML that need nothing else: they load nothing and run no script. Reports of releases, fits, comparisons and budgets. */
#ifndef DPNOISE_CLI_PAGE_PAGE_H
#define DPNOISE_CLI_PAGE_PAGE_H

#include <stddef.h>
#include <stdio.h>

/* Text with what HTML would take for markup escaped, and what is no UTF-8 or a control character replaced. */
void html_text(FILE *out, const char *text);

/* The beginning of a page, with its title and heading; its end. */
void html_begin(FILE *out, const char *what, const char *name);
void html_end(FILE *out);

/* Facts in boxes: <div class="facts"> stands before them and </div> after them. */
void html_fact(FILE *out, const char *what, const char *value);

/* A number with commas between thousands: 12345.6 becomes 12,345.6. What is no plain decimal stays as it is. */
enum { PAGE_NUMBER_SIZE = 96 };
char *page_thousands(char text[PAGE_NUMBER_SIZE], const char *number);

/* How many digits stand after the point. A number followed by blanks as wide as the digits that it lacks of so many: points
 * of a column of numbers that ends at the right are then below each other. */
size_t page_decimals(const char *number);
void html_aligned(FILE *out, const char *number, size_t decimals);

/* The text of page.css. */
extern const char page_style[];

#endif
