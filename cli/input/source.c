/* Places in words. */
#include "input/source.h"

#include "kit/plain.h"

void source_print(FILE *out, const dpn_place *place) {
    switch (place->kind) {
    case DPN_PLACE_FILE:
        fputs("the file ", out);
        print_plain(out, place->path);
        return;
    case DPN_PLACE_SQLITE:
    case DPN_PLACE_DUCKDB:
        fputs("table ", out);
        print_plain(out, place->table);
        fputs(" of ", out);
        print_plain(out, place->path);
        return;
    case DPN_PLACE_POSTGRESQL:
        fputs("table ", out);
        print_plain(out, place->schema);
        putc('.', out);
        print_plain(out, place->table);
        fputs(" of database ", out);
        print_plain(out, place->database);
        fputs(" on PostgreSQL ", out);
        print_plain(out, place->system);
        return;
    default:
        print_plain(out, place->what);
    }
}
