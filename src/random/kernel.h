/* What the source asks of the kernel. */
#ifndef DPN_RANDOM_KERNEL_H
#define DPN_RANDOM_KERNEL_H

#include <stddef.h>

/* Fill out with random bytes from the kernel, however many calls and interruptions that takes. Returns 0, or the error
 * number, or -1 if the kernel gave nothing and named no error; on failure out is zero. */
int dpn_kernel_random(void *out, size_t count);

/* Zeroed memory that fork() replaces by zeros in the child and that core dumps leave out where the kernel can do that.
 * NULL on failure; *reason is then NULL if there is no memory, else it says what the kernel cannot do. */
void *dpn_kernel_private_map(size_t count, const char **reason);
void dpn_kernel_private_unmap(void *map, size_t count);

#endif
