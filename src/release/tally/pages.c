/* Large pages, which are a wish: the memory is the same without them. */
#define _DEFAULT_SOURCE /* madvise */
#include "release/tally/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *dpn_pages_take(size_t size) {
    if (size < DPN_LARGE_PAGE || size > SIZE_MAX - DPN_LARGE_PAGE) return malloc(size);
    size_t whole = (size + DPN_LARGE_PAGE - 1) / DPN_LARGE_PAGE * DPN_LARGE_PAGE;
    void *memory = aligned_alloc(DPN_LARGE_PAGE, whole);
#ifdef MADV_HUGEPAGE
    if (memory) (void)madvise(memory, size / DPN_LARGE_PAGE * DPN_LARGE_PAGE, MADV_HUGEPAGE);
#endif
    return memory;
}

void *dpn_pages_zeros(size_t size) {
    if (size < DPN_LARGE_PAGE) return calloc(1, size);
    void *memory = dpn_pages_take(size);
    if (memory) memset(memory, 0, size);
    return memory;
}
