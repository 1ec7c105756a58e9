/* A malloc that notices a byte written past the end of what was asked for, for a test program of its own: the linker takes it for all
 * libraries. What is new or free holds no zeros. Sanitizers have theirs and notice more; then nothing is defined but guarded_overruns. */
#ifndef DPN_TESTS_GUARDED_MEMORY_H
#define DPN_TESTS_GUARDED_MEMORY_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How many pieces were written past their end, of those that were freed or made larger since. */
static long guarded_overruns;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define UNGUARDED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define UNGUARDED
#endif

#ifndef UNGUARDED

void *__libc_malloc(size_t count);
void __libc_free(void *memory);

/* What stands before a piece; behind it are GUARDS bytes that nobody may write. */
typedef struct guarded_piece {
    void *start;
    size_t count;
} guarded_piece;
enum { GUARDS = 16, GUARD = 0xa5 };

static void *guarded_make(size_t alignment, size_t count) {
    if (count > SIZE_MAX / 2) return NULL;
    char *start = __libc_malloc(sizeof(guarded_piece) + alignment + count + GUARDS);
    if (!start) return NULL;
    uintptr_t after = (uintptr_t)start + sizeof(guarded_piece);
    char *piece = start + sizeof(guarded_piece) + (alignment - after % alignment) % alignment;
    guarded_piece head = {start, count};
    memcpy(piece - sizeof head, &head, sizeof head);
    memset(piece, 0xcb, count);
    memset(piece + count, GUARD, GUARDS);
    return piece;
}

static guarded_piece guarded_head(const void *piece) {
    guarded_piece head;
    memcpy(&head, (const char *)piece - sizeof head, sizeof head);
    const unsigned char *end = (const unsigned char *)piece + head.count;
    for (int i = 0; i < GUARDS; i++)
        if (end[i] != GUARD) {
            guarded_overruns++;
            break;
        }
    return head;
}

__attribute__((visibility("default"))) void *malloc(size_t count) {
    return guarded_make(16, count);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    void *made = guarded_make(16, count * size);
    return made ? memset(made, 0, count * size) : NULL;
}

__attribute__((visibility("default"))) void free(void *piece) {
    if (!piece) return;
    int kept = errno;
    guarded_piece head = guarded_head(piece);
    memset(piece, 0xdd, head.count);
    __libc_free(head.start);
    errno = kept;
}

__attribute__((visibility("default"))) void *realloc(void *old, size_t count) {
    void *made = guarded_make(16, count);
    if (!made || !old) return made;
    size_t before = guarded_head(old).count;
    memcpy(made, old, before < count ? before : count);
    free(old);
    return made;
}

__attribute__((visibility("default"))) void *aligned_alloc(size_t alignment, size_t count) {
    return guarded_make(alignment < 16 ? 16 : alignment, count);
}

int posix_memalign(void **out, size_t alignment, size_t count);
__attribute__((visibility("default"))) int posix_memalign(void **out, size_t alignment, size_t count) {
    *out = guarded_make(alignment < 16 ? 16 : alignment, count);
    return *out ? 0 : ENOMEM;
}

#endif
#endif
