/* The room between entries. Nothing is ever deleted from a ledger, and SQLite, told to secure_delete, fills what it
 * does not use with zeros: other bytes there were put by somebody else. They would mean nothing, but a file that is
 * said to be unchanged should be. The format is that of SQLite's page "Database File Format".
 *
 * Not seen: changes to numbers that SQLite keeps for itself in the file's header (schema cookie, versions), and to the
 * unused ends of overflow pages and of the inner pages of large files. */
#include "ledger/store.h"

#include "base/error.h"

#include <string.h>

enum { HEADER = 100, SMALL = 200 }; /* bytes; pages up to which inner pages are never rebuilt, only added to */

static unsigned two(const unsigned char *at) {
    return (unsigned)at[0] << 8 | at[1];
}

static bool all_zero(const unsigned char *from, const unsigned char *to) {
    while (from < to && *from == 0) from++;
    return from >= to;
}

/* No free pages, nothing in the reserved places, format 4, UTF-8; what SQLite writes twice agrees. */
static bool clean_header(const unsigned char *file) {
    static const unsigned char format[] = {0, 0, 0, 4}, encoding[] = {0, 0, 0, 1};
    return file[18] == file[19] && file[20] == 0 && all_zero(file + 32, file + 40) && all_zero(file + 48, file + 56) &&
           all_zero(file + 64, file + 68) && all_zero(file + 72, file + 92) && memcmp(file + 24, file + 92, 4) == 0 &&
           memcmp(file + 44, format, 4) == 0 && memcmp(file + 56, encoding, 4) == 0;
}

/* The gap of a b-tree page between its list of cells and the cells. integrity_check has seen that both are sound. */
static bool clean_page(const unsigned char *page, size_t size, size_t start, bool small) {
    const unsigned char *head = page + start;
    bool leaf = head[0] == 0x0d || head[0] == 0x0a, inner = head[0] == 0x05 || head[0] == 0x02;
    if (!leaf && !(inner && small)) return true; /* an overflow page, or one that may hold remains */
    if (two(head + 1) != 0) return true;         /* holes within the cells: SQLite took the page apart */
    size_t list = start + (leaf ? 8 : 12) + 2 * (size_t)two(head + 3), cells = two(head + 5) ? two(head + 5) : 65536;
    return list <= cells && cells <= size && all_zero(page + list, page + cells);
}

dpn_status dpn_store_slack(dpn_store *store, dpn_error *why) {
    sqlite3_int64 length = 0;
    unsigned char *file = sqlite3_serialize(store->db, "main", &length, 0);
    if (!file) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    size_t size = length >= HEADER ? two(file + 16) : 0;
    if (size == 1) size = 65536;
    bool clean = size >= 512 && (size_t)length % size == 0 && clean_header(file);
    size_t pages = clean ? (size_t)length / size : 0;
    clean = clean && pages == ((size_t)two(file + 28) << 16 | two(file + 30)); /* SQLite takes 0 for unknown */
    for (size_t i = 0; i < pages && clean; i++)
        clean = clean_page(file + i * size, size, i == 0 ? HEADER : 0, pages <= SMALL);
    sqlite3_free(file);
    return clean ? DPN_OK : dpn_fail(why, DPN_EIO, "the file holds bytes that are of no entry: it was changed");
}
