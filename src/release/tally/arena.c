/* Chunks that double in size up to a megabyte. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct dpn_chunk {
    dpn_chunk *before;
    size_t size;
    alignas(max_align_t) char memory[];
};

enum { LEAST = 1 << 12, MOST = 1 << 20, ALIGNMENT = alignof(max_align_t) };

static dpn_chunk *add_chunk(dpn_arena *arena, size_t size) {
    if (size > SIZE_MAX - sizeof(dpn_chunk)) return NULL;
    dpn_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk) return NULL;
    chunk->before = arena->chunk;
    chunk->size = size;
    arena->chunk = chunk;
    return chunk;
}

void *dpn_arena_take(dpn_arena *arena, size_t size) {
    if (size > SIZE_MAX - ALIGNMENT) return NULL;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size > arena->left) {
        size_t room = arena->size == 0 ? LEAST : arena->size < MOST ? 2 * arena->size : MOST;
        if (size > room / 4) { /* a chunk of its own, and the newest one goes on */
            dpn_chunk *own = add_chunk(arena, size);
            return own ? own->memory : NULL;
        }
        dpn_chunk *chunk = add_chunk(arena, room);
        if (!chunk) return NULL;
        arena->size = arena->left = room;
        arena->next = chunk->memory;
    }
    void *taken = arena->next;
    arena->next += size;
    arena->left -= size;
    return taken;
}

void dpn_arena_absorb(dpn_arena *into, dpn_arena *from) {
    dpn_chunk **last = &from->chunk;
    while (*last) last = &(*last)->before;
    *last = into->chunk;
    into->chunk = from->chunk;
    *from = (dpn_arena){0};
}

void dpn_arena_free(dpn_arena *arena) {
    for (dpn_chunk *chunk = arena->chunk, *before; chunk; chunk = before) {
        before = chunk->before;
        explicit_bzero(chunk->memory, chunk->size);
        free(chunk);
    }
    *arena = (dpn_arena){0};
}
