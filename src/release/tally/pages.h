/* Memory that is read and written all over, in no order: it lies in large pages where the system has them. There a processor finds the
 * place of an address without a walk through tables, and the system clears a page at once instead of five hundred. */
#ifndef DPN_TALLY_PAGES_H
#define DPN_TALLY_PAGES_H

#include <stddef.h>

enum { DPN_LARGE_PAGE = 1 << 21 };

/* Memory to be given back by free(), in large pages if it has the size of one; NULL if there is none. What is in it is unknown. */
void *dpn_pages_take(size_t size);

/* The same, all zero. */
void *dpn_pages_zeros(size_t size);

#endif
