/* A malloc that fails at the k-th request, for a test program of its own: the linker takes it for all libraries. Sanitizers
 * have theirs; then SANITIZED is defined and nothing else. */
#ifndef DPN_TESTS_FAILING_MEMORY_H
#define DPN_TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define SANITIZED
#endif

#ifndef SANITIZED

void *__libc_malloc(size_t count);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t count);
void *__libc_memalign(size_t alignment, size_t count);
void __libc_free(void *memory);

static struct {
    bool armed, on; /* on: all requests after the first failure fail too */
    long requests, fail_at, live;
} memory;

static bool refused(void) {
    if (!memory.armed) return false;
    long request = memory.requests++;
    return request == memory.fail_at || (memory.on && request > memory.fail_at);
}

static void *counted(void *made) {
    if (made) memory.live++;
    return made;
}

__attribute__((visibility("default"))) void *malloc(size_t count) {
    return refused() ? NULL : counted(__libc_malloc(count));
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
    return refused() ? NULL : counted(__libc_calloc(count, size));
}

__attribute__((visibility("default"))) void *realloc(void *old, size_t count) {
    if (refused()) return NULL;
    void *made = __libc_realloc(old, count);
    if (made && !old) memory.live++;
    return made;
}

__attribute__((visibility("default"))) void *aligned_alloc(size_t alignment, size_t count) {
    return refused() ? NULL : counted(__libc_memalign(alignment, count));
}

__attribute__((visibility("default"))) void free(void *old) {
    if (old) memory.live--;
    __libc_free(old);
}

#endif

#endif
