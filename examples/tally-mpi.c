/* The states of all processes of an MPI job become one, by MPI_Reduce.
 *
 *     mpicc tally-mpi.c $(pkg-config --cflags --libs dpnoise-core) -o tally-mpi
 *     dpnoise tally --new-secret secret
 *     mpirun -n 4 tally-mpi question.json secret all.state
 *
 * Process i reads part-i.csv: names in the first line, no quotes. The state of all is what
 * dpnoise release --states takes, with the bytes that one process would have written. It is raw data, like the table. */
#include <dpnoise/random.h>
#include <dpnoise/statistics.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const dpn_query *query;
static dpn_tally_secret secret;
static dpn_rng *rng;

static void stop(const char *sentence) {
    fprintf(stderr, "tally-mpi: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check(dpn_status status, const dpn_error *why) {
    if (status) stop(why->sentence);
}

static dpn_tally *open_tally(void) {
    dpn_tally *tally = NULL;
    dpn_error why;
    check(dpn_tally_new_with(&tally, query, &secret, rng, &why), &why);
    return tally;
}

/* What travels is a length and then that many bytes of a state. */
static void put_state(unsigned char *buffer, dpn_tally *tally) {
    unsigned char *state;
    size_t length;
    dpn_error why;
    check(dpn_tally_write(&state, &length, tally, &why), &why);
    memcpy(buffer, &length, sizeof length);
    memcpy(buffer + sizeof length, state, length);
    dpn_tally_state_free(state, length);
}

static void add_state(dpn_tally *tally, const unsigned char *buffer) {
    size_t length;
    dpn_error why;
    memcpy(&length, buffer, sizeof length);
    check(dpn_tally_add_state(tally, buffer + sizeof length, length, &why), &why);
}

/* The operation of MPI_Reduce. It commutes: states have the same bytes in whatever order they were merged. */
static void merge(void *in, void *into, int *count, MPI_Datatype *type) {
    int size;
    MPI_Type_size(*type, &size);
    for (int i = 0; i < *count; i++) {
        dpn_tally *tally = open_tally();
        add_state(tally, (unsigned char *)in + (size_t)i * (size_t)size);
        add_state(tally, (unsigned char *)into + (size_t)i * (size_t)size);
        put_state((unsigned char *)into + (size_t)i * (size_t)size, tally);
        dpn_tally_free(tally);
    }
}

static char *read_file(const char *name) {
    FILE *file = fopen(name, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || !fread(text, 1, (1 << 20) - 1, file)) stop("a file cannot be read");
    fclose(file);
    return text;
}

/* Whoever has the secret can tell which rows of a person are chosen: the file is its owner's alone. */
static void read_secret(const char *name) {
    struct stat found;
    if (stat(name, &found) != 0 || (found.st_mode & (S_IRWXG | S_IRWXO)))
        stop("the secret is missing, or others may read it: chmod 600");
    char *text = read_file(name);
    for (size_t i = 0; i < sizeof secret.byte; i++)
        if (sscanf(text + 2 * i, "%2hhx", &secret.byte[i]) != 1) stop("the secret is not 64 hexadecimal digits");
    free(text);
}

enum { COLUMNS = 64 };

/* Cut a line at its commas. */
static size_t cut(dpn_field field[COLUMNS], char *line) {
    size_t fields = 0;
    for (char *at = line; fields < COLUMNS; at++) {
        size_t length = strcspn(at, ",\n");
        field[fields++] = (dpn_field){at, length};
        at += length;
        if (*at != ',') break;
    }
    return fields;
}

/* Where each column of the question stands in the part. */
static void find_columns(size_t place[COLUMNS], char *line) {
    dpn_field name[COLUMNS];
    size_t names = cut(name, line);
    for (size_t i = 0; dpn_query_column(query, i); i++) {
        const char *wanted = dpn_query_column(query, i);
        for (place[i] = 0; place[i] < names; place[i]++)
            if (strlen(wanted) == name[place[i]].length && !strncmp(wanted, name[place[i]].text, strlen(wanted))) break;
        if (place[i] == names) stop("a part lacks a column");
    }
}

static void read_part(dpn_tally *tally, int rank) {
    char file_name[64], line[4096];
    size_t place[COLUMNS];
    dpn_error why;
    snprintf(file_name, sizeof file_name, "part-%d.csv", rank);
    FILE *file = fopen(file_name, "r");
    if (!file || !fgets(line, sizeof line, file)) stop("a part cannot be read");
    find_columns(place, line);
    while (fgets(line, sizeof line, file)) {
        dpn_field field[COLUMNS] = {{NULL, 0}}, row[COLUMNS];
        cut(field, line);
        for (size_t i = 0; dpn_query_column(query, i); i++) row[i] = field[place[i]];
        check(dpn_tally_rows(tally, row, 1, &why), &why);
    }
    fclose(file);
}

static void write_state(const char *name, const unsigned char *buffer) {
    size_t length;
    memcpy(&length, buffer, sizeof length);
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, buffer + sizeof length, length) != (ssize_t)length || close(file) != 0)
        stop("the state cannot be written");
}

int main(int argc, char **argv) {
    int rank;
    dpn_declaration declaration;
    dpn_query *shape = NULL;
    dpn_error why;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 4) stop("usage: tally-mpi QUESTION SECRET STATE");
    char *text = read_file(argv[1]);
    check(dpn_declaration_read(&declaration, text, strlen(text), &why), &why);
    check(dpn_query_new_shape(&shape, &declaration, &why), &why);
    check(dpn_rng_new(&rng, &why), &why);
    query = shape;
    read_secret(argv[2]);

    dpn_tally *tally = open_tally();
    read_part(tally, rank);
    unsigned char *state;
    size_t length;
    check(dpn_tally_write(&state, &length, tally, &why), &why);
    dpn_tally_state_free(state, length);

    /* No state is longer than those it was merged of together. */
    unsigned long own = length, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
    size_t size = sizeof length + all;
    unsigned char *mine = calloc(1, size), *merged = calloc(1, size);
    if (!mine || !merged) stop("out of memory");
    put_state(mine, tally);
    MPI_Datatype type;
    MPI_Op operation;
    MPI_Type_contiguous((int)size, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(merge, 1, &operation);
    MPI_Reduce(mine, merged, 1, type, operation, 0, MPI_COMM_WORLD);
    if (rank == 0) write_state(argv[3], merged);

    MPI_Op_free(&operation);
    MPI_Type_free(&type);
    free(mine);
    free(merged);
    dpn_tally_free(tally);
    dpn_query_free(shape);
    dpn_declaration_free(&declaration);
    dpn_rng_free(rng);
    free(text);
    MPI_Finalize();
    return 0;
}
