/* Chunks that double in size up to two megabytes. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/arena.h"

#include "release/tally/pages.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct dpn_chunk {
    dpn_chunk *before;
    size_t size;
    alignas(max_align_t) char memory[];
};

/* The largest chunk is a large page, with its head. */
enum { LEAST = 1 << 12, MOST = DPN_LARGE_PAGE - sizeof(dpn_chunk), ALIGNMENT = alignof(dpn_chunk) };

static dpn_chunk *add_chunk(dpn_arena *arena, size_t size) {
    if (size > SIZE_MAX - sizeof(dpn_chunk)) return NULL;
    dpn_chunk *chunk = dpn_pages_take(sizeof *chunk + size);
    if (!chunk) return NULL;
    chunk->before = arena->chunk;
    chunk->size = size;
    arena->chunk = chunk;
    arena->bytes += sizeof *chunk + size;
    dpn_memory_grow(arena->memory, sizeof *chunk + size);
    return chunk;
}

/* A chunk is a small part of what there may be, so that little of it is empty when the rest is full. */
static size_t most_of(const dpn_arena *arena) {
    enum { PARTS = 64 };
    const dpn_memory_limit *limit = arena->memory->limit;
    size_t part = limit->bytes ? dpn_memory_tables(limit) / PARTS : MOST;
    return part < LEAST ? LEAST : part < MOST ? part : MOST;
}

void *dpn_arena_take(dpn_arena *arena, size_t size) {
    if (size > SIZE_MAX - ALIGNMENT) return NULL;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size > arena->left) {
        size_t most = most_of(arena), room = arena->size == 0 ? LEAST : 2 * arena->size;
        if (room > most) room = most;
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
    into->bytes += from->bytes;
    dpn_memory_grow(into->memory, from->bytes);
    dpn_memory_shrink(from->memory, from->bytes);
    *from = (dpn_arena){.memory = from->memory};
}

void dpn_arena_free(dpn_arena *arena) {
    for (dpn_chunk *chunk = arena->chunk, *before; chunk; chunk = before) {
        before = chunk->before;
        explicit_bzero(chunk->memory, chunk->size);
        free(chunk);
    }
    if (arena->bytes > 0) dpn_memory_shrink(arena->memory, arena->bytes);
    *arena = (dpn_arena){.memory = arena->memory};
}
