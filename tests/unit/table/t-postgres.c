/* Tables of a PostgreSQL server, which is made and started here, listens in a directory of its own, and ends with the test.
 * Where PostgreSQL is not installed there is nothing to test. */
#define _GNU_SOURCE /* getpwnam, glob, prctl, setresuid */
#include "place.h"
#include "unit/skip.h"

#include <fcntl.h>
#include <glob.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

static struct {
    char programs[200]; /* the directory of initdb and postgres */
    char directory[64], data[80], url[160];
    pid_t pid;
} server;

/* ---- The server ---- */

static bool find_programs(void) {
    glob_t found;
    if (glob("/usr/lib/postgresql/*/bin/initdb", 0, NULL, &found) == 0 && found.gl_pathc > 0) {
        const char *last = found.gl_pathv[found.gl_pathc - 1];
        snprintf(server.programs, sizeof server.programs, "%.*s", (int)(strlen(last) - strlen("/initdb")), last);
    }
    globfree(&found);
    return server.programs[0] != '\0';
}

/* The user who may run a server: root may not. */
static uid_t server_user(gid_t *group) {
    const struct passwd *nobody = geteuid() == 0 ? getpwnam("nobody") : NULL;
    *group = nobody ? nobody->pw_gid : getegid();
    return nobody ? nobody->pw_uid : geteuid();
}

/* Run a program of PostgreSQL as that user, quietly. It finds the others beside it by the path it is called with. */
static pid_t start(const char *name, const char *const *arguments) {
    char path[300];
    const char *words[24] = {path};
    gid_t group;
    uid_t user = server_user(&group);
    snprintf(path, sizeof path, "%s/%s", server.programs, name);
    pid_t parent = getpid(), pid = fork();
    if (pid != 0) return pid;
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0), dup2(nowhere, 1), dup2(nowhere, 2);
    if (chdir("/") != 0 || setresgid(group, group, group) != 0 || setresuid(user, user, user) != 0) _exit(9);
    prctl(PR_SET_PDEATHSIG, SIGINT); /* it does not outlive a test that crashes */
    if (getppid() != parent) _exit(9);
    for (size_t i = 0; arguments[i]; i++) words[i + 1] = arguments[i];
    execv(path, (char *const *)(size_t)words);
    _exit(9);
}

static void wait_a_little(void) {
    nanosleep(&(struct timespec){0, 20000000}, NULL);
}

static int start_server(void **state) {
    (void)state;
    gid_t group;
    uid_t user = server_user(&group);
    int status = -1;
    strcpy(server.directory, "/tmp/dpnoise-pg-XXXXXX");
    if (!mkdtemp(server.directory) || chown(server.directory, user, group) != 0) return -1;
    snprintf(server.data, sizeof server.data, "%s/data", server.directory);
    snprintf(server.url, sizeof server.url, "postgresql:///postgres?host=%s&user=tester", server.directory);
    pid_t made = start("initdb", (const char *const[]){"-D", server.data, "-U", "tester", "-A", "trust", "-N", "-E",
                                                       "UTF8", "--locale=C", NULL});
    if (waitpid(made, &status, 0) != made || status != 0) return -1;
    server.pid = start("postgres", (const char *const[]){"-D", server.data, "-k", server.directory, "-h", "", "-F",
                                                         "-c", "shared_buffers=8MB", "-c", "max_connections=10", NULL});
    for (int i = 0; i < 1500 && PQping(server.url) != PQPING_OK; i++) wait_a_little();
    return PQping(server.url) == PQPING_OK ? 0 : -1;
}

static int stop_server(void **state) {
    (void)state;
    char command[100];
    if (server.pid > 0) {
        kill(server.pid, SIGINT);
        waitpid(server.pid, NULL, 0);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", server.directory);
    return system(command);
}

/* ---- Moves ---- */

/* Do something as another client. */
static void sql(const char *text) {
    PGconn *client = PQconnectdb(server.url);
    PQclear(PQexec(client, "SET lock_timeout = '20s'")); /* a test that failed may hold a table open */
    PGresult *result = PQexec(client, text);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s", PQerrorMessage(client));
    PQclear(result);
    PQfinish(client);
}

static void begin(void) {
    sql("SET client_min_messages = error; DROP SCHEMA public CASCADE; DROP SCHEMA IF EXISTS \"odd.one\" CASCADE; "
        "CREATE SCHEMA public");
}

static void reads(const char *table, const char *right) {
    char *rows = NULL;
    dpn_error why;
    if (read_source(&rows, server.url, &(dpn_table_options){.size = sizeof(dpn_table_options), .table = table}, &why))
        fail_msg("%s", why.sentence);
    assert_string_equal(rows, right);
    free(rows);
}

static void fails(const char *table, dpn_status status, const char *words) {
    char *rows = NULL;
    dpn_error why = {DPN_OK, ""};
    assert_int_equal(
        read_source(&rows, server.url, &(dpn_table_options){.size = sizeof(dpn_table_options), .table = table}, &why),
        status);
    if (why.status != status || !strstr(why.sentence, words)) fail_msg("%s", why.sentence);
    free(rows);
}

/* ---- Tests ---- */

static void values(void **state) {
    (void)state;
    begin();
    sql("CREATE TABLE t (i bigint, f float8, n numeric, s text, d date, b boolean); INSERT INTO t VALUES "
        "(-9223372036854775808, 0.1, 1234567890.12345678901234567890, 'plain', '2026-11-16', true), "
        "(NULL, 'inf', NULL, '', NULL, NULL), (1, 5e-324, 'NaN', E'tab\\tnew\\nline\\rback\\\\slash\\b\\f' || chr(11), "
        "'0044-03-15 BC', false), "
        "(2, 0.30000000000000004, 0, '\\N', '1999-12-31', false), (3, 1e300, -0.5, E'\\\\.', NULL, NULL)");
    reads(NULL, "-9223372036854775808|0.1|1234567890.12345678901234567890|plain|2026-11-16|t\n"
                "~|Infinity|~||~|~\n"
                "1|5e-324|NaN|tab\tnew\nline\rback\\slash\b\f\v|0044-03-15 BC|f\n"
                "2|0.30000000000000004|0|\\N|1999-12-31|f\n"
                "3|1e+300|-0.5|\\.|~|~\n");
}

static void names_and_views(void **state) {
    (void)state;
    begin();
    fails(NULL, DPN_EPARSE, "no tables");
    sql("CREATE TABLE \"My \"\"t\"\"; --\" (\"select\" int, \"From\" int); INSERT INTO \"My \"\"t\"\"; --\" VALUES (1, "
        "2); "
        "CREATE VIEW v AS SELECT \"From\" + 1 AS x FROM \"My \"\"t\"\"; --\"; CREATE SCHEMA \"odd.one\"; "
        "CREATE TABLE public.empty (a int)");
    reads("My \"t\"; --", "1|2\n");
    reads("public.v", "3\n");
    reads("empty", "");
    fails(NULL, DPN_EDOMAIN, "several tables");
    fails("nothing", DPN_EDOMAIN, "no such table");
    fails("nowhere.v", DPN_EDOMAIN, "no such table");
    fails("MY \"T\"; --", DPN_EDOMAIN, "no such table");
}

/* What a function of a view says of its rows reaches neither standard error nor the sentence of a failure that comes before
 * the first row. */
static void attack_notices_of_a_view(void **state) {
    (void)state;
    begin();
    sql("CREATE TABLE people (name text); INSERT INTO people VALUES ('Ida'), ('Max'); "
        "CREATE FUNCTION tell(name text) RETURNS text LANGUAGE plpgsql AS "
        "'BEGIN RAISE NOTICE ''%'', name; RAISE WARNING ''%'', name; RETURN name; END'; "
        "CREATE VIEW told AS SELECT tell(name) AS name FROM people; "
        "CREATE FUNCTION shout() RETURNS int IMMUTABLE LANGUAGE plpgsql AS "
        "'BEGIN RAISE EXCEPTION ''Ida''; END'; CREATE VIEW loud AS SELECT 1 AS a WHERE shout() = 1");
    FILE *caught = tmpfile();
    int kept = dup(STDERR_FILENO);
    assert_true(caught && kept >= 0 && dup2(fileno(caught), STDERR_FILENO) >= 0);
    char *rows = NULL;
    dpn_error why;
    dpn_status status =
        read_source(&rows, server.url, &(dpn_table_options){.size = sizeof(dpn_table_options), .table = "told"}, &why);
    long printed = (fseek(caught, 0, SEEK_END), ftell(caught));
    dup2(kept, STDERR_FILENO);
    close(kept);
    fclose(caught);
    assert_int_equal(status, DPN_OK);
    assert_string_equal(rows, "Ida\nMax\n");
    assert_int_equal(printed, 0);
    free(rows);
    fails("loud", DPN_EIO, "the table cannot be read: the server fails with the code P0001");
}

/* A view that writes when it is read. */
static void nothing_is_written(void **state) {
    (void)state;
    begin();
    sql("CREATE TABLE log (x int); CREATE FUNCTION f() RETURNS int LANGUAGE sql VOLATILE AS 'INSERT INTO log VALUES "
        "(1) RETURNING x'; "
        "CREATE VIEW v AS SELECT f() AS x");
    fails("v", DPN_EIO, "read-only transaction");
    reads("log", "");
}

static void bytes_are_refused(void **state) {
    (void)state;
    begin();
    sql("CREATE TABLE t (a int, b bytea); INSERT INTO t VALUES (1, '\\x00ff')");
    fails(NULL, DPN_EUNSUPPORTED, "column 'b' holds bytes");
    dpn_table *table;
    dpn_error why;
    const dpn_field *field;
    size_t rows;
    assert_int_equal(dpn_table_open(&table, server.url, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_want(table, (size_t[]){0, 0}, 2, &why), DPN_OK);
    assert_int_equal(dpn_table_want(table, (size_t[]){1}, 1, &why), DPN_EUNSUPPORTED); /* and the wants are as before */
    assert_int_equal(dpn_table_next(&field, &rows, table, &why), DPN_OK);
    assert_int_equal(rows, 1);
    assert_true(field[1].length == 1 && field[1].text[0] == '1');
    dpn_table_close(table);
}

/* Rows that come while the table is read are not seen; it takes no memory that grows with the rows. */
static void one_state_in_constant_memory(void **state) {
    (void)state;
    begin();
    sql("CREATE TABLE t AS SELECT i AS a, repeat('x', 50) AS b FROM generate_series(1, 200000) i");
    dpn_table *table;
    dpn_error why;
    const dpn_field *field;
    size_t rows;
    uint64_t sum = 0;
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    assert_int_equal(dpn_table_open(&table, server.url, NULL, &why), DPN_OK);
    sql("INSERT INTO t VALUES (1000000, 'late')");
    do {
        if (dpn_table_next(&field, &rows, table, &why)) fail_msg("%s", why.sentence);
        for (size_t i = 0; i < rows; i++) {
            uint64_t value = 0;
            for (size_t j = 0; j < field[2 * i].length; j++)
                value = 10 * value + (uint64_t)(field[2 * i].text[j] - '0');
            sum += value;
            assert_int_equal(field[2 * i + 1].length, 50);
        }
    } while (rows > 0);
    getrusage(RUSAGE_SELF, &after);
    assert_int_equal(dpn_table_rows(table), 200000);
    assert_true(sum == UINT64_C(20000100000));
#ifndef SANITIZED                                                 /* they keep what is freed */
    assert_in_range(after.ru_maxrss - before.ru_maxrss, 0, 6000); /* kilobytes; the table has 12 MB */
#endif
    dpn_table_close(table);
    assert_int_equal(dpn_table_open(&table, server.url, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_want(table, NULL, 0, &why), DPN_OK);
    do {
        assert_int_equal(dpn_table_next(&field, &rows, table, &why), DPN_OK);
    } while (rows > 0);
    assert_int_equal(dpn_table_rows(table), 200001);
    dpn_table_close(table);
}

static void long_rows_and_a_dead_server(void **state) {
    (void)state;
    begin();
    sql("CREATE TABLE t AS SELECT repeat('y', i) AS a FROM generate_series(1, 3000) i");
    char *rows;
    dpn_error why;
    dpn_table *table;
    const dpn_field *field;
    size_t count;
    assert_int_equal(read_source(&rows, server.url,
                                 &(dpn_table_options){.size = sizeof(dpn_table_options), .row_limit = 3000}, &why),
                     DPN_OK);
    assert_int_equal(strlen(rows), 3000 * 3001 / 2 + 3000 - 3001); /* all but the longest */
    free(rows);
    assert_int_equal(
        read_source(&rows, server.url,
                    &(dpn_table_options){.size = sizeof(dpn_table_options), .row_limit = 3001, .buffer = 16}, &why),
        DPN_OK);
    assert_int_equal(strlen(rows), 3000 * 3001 / 2 + 3000);
    free(rows);
    assert_int_equal(dpn_table_open(&table, server.url, NULL, &why), DPN_OK);
    sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = "
        "'client backend'");
    dpn_status status;
    do {
        status = dpn_table_next(&field, &count, table, &why);
    } while (!status && count > 0);
    assert_int_equal(status, DPN_EIO);
    dpn_table_close(table);
}

static dpn_table_identity identity_of(const char *url, const char *name) {
    dpn_table *table;
    dpn_error why;
    dpn_table_identity identity = {0};
    if (dpn_table_open(&table, url, &(dpn_table_options){.size = sizeof(dpn_table_options), .table = name}, &why) ||
        dpn_table_identify(&identity, table, &why))
        fail_msg("%s", why.sentence);
    dpn_table_close(table);
    return identity;
}

static void is(const char *name, const char *schema, const char *table, const char *derived) {
    dpn_table_identity found = identity_of(server.url, name);
    assert_int_equal(found.origin, DPN_TABLE_POSTGRESQL);
    assert_string_equal(found.database, "postgres");
    assert_string_equal(found.schema, schema);
    assert_string_equal(found.table, table);
    if (derived)
        assert_string_equal(found.derived, derived);
    else
        assert_null(found.derived);
    dpn_table_identity_free(&found);
}

/* One table, however its name and that of the server are spelled; what shows its rows under another name says so. */
static void identity(void **state) {
    (void)state;
    begin();
    sql("CREATE TABLE people (a int); CREATE SCHEMA \"odd.one\"; CREATE TABLE \"odd.one\".people (a int); "
        "CREATE VIEW v AS TABLE people; CREATE MATERIALIZED VIEW m AS TABLE people; CREATE TABLE child () INHERITS "
        "(people); CREATE TABLE whole (a int) PARTITION BY LIST (a); CREATE TABLE part PARTITION OF whole FOR VALUES "
        "IN (1)");
    is("people", "public", "people", NULL);
    is("public.people", "public", "people", NULL);
    is("whole", "public", "whole", NULL);
    is("v", "public", "v", "view");
    is("m", "public", "m", "materialized view");
    is("child", "public", "child", "child table");
    is("part", "public", "part", "partition");
    char other[400];
    snprintf(other, sizeof other, "%s&options=-csearch_path%%3D%%22odd.one%%22&password=geheim", server.url);
    dpn_table_identity one = identity_of(server.url, "people"), two = identity_of(server.url, "public.people"),
                       shadow = identity_of(other, "people"), spelled = identity_of(other, "public.people");
    PGconn *client = PQconnectdb(server.url);
    PGresult *control = PQexec(client, "SELECT system_identifier FROM pg_control_system()");
    assert_string_equal(one.system, PQgetvalue(control, 0, 0));
    PQclear(control);
    PQfinish(client);
    assert_true(dpn_table_identity_same(&one, &two));
    assert_true(dpn_table_identity_same(&one, &spelled));
    assert_false(dpn_table_identity_same(&one, &shadow));
    assert_string_equal(shadow.schema, "odd.one");
    assert_true(shadow.password && !one.password);
    dpn_table *named; /* a schema with a dot in its name */
    dpn_error why;
    dpn_table_identity dotted;
    dpn_table_options in_schema = {.size = sizeof in_schema, .table = "people", .schema = "odd.one"};
    assert_int_equal(dpn_table_open(&named, server.url, &in_schema, &why), DPN_OK);
    assert_int_equal(dpn_table_identify(&dotted, named, &why), DPN_OK);
    assert_true(dpn_table_identity_same(&dotted, &shadow));
    dpn_table_identity_free(&dotted);
    dpn_table_close(named);
    two.database[0] = 'P';
    assert_false(dpn_table_identity_same(&one, &two)); /* another database */
    spelled.system[0] = spelled.system[0] == '7' ? '8' : '7';
    assert_false(dpn_table_identity_same(&one, &spelled)); /* another server */
    dpn_table_identity_free(&one), dpn_table_identity_free(&two);
    dpn_table_identity_free(&shadow), dpn_table_identity_free(&spelled);
}

/* An ordinary role finds out too, unless the right was taken away. */
static void identity_for_a_role(void **state) {
    (void)state;
    begin();
    sql("CREATE TABLE people (a int); CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA "
        "public "
        "TO reader; GRANT SELECT ON people TO reader");
    char url[300];
    snprintf(url, sizeof url, "postgresql:///postgres?host=%s&user=reader", server.directory);
    dpn_table_identity one = identity_of(server.url, "people"), two = identity_of(url, "people");
    assert_true(dpn_table_identity_same(&one, &two));
    dpn_table_identity_free(&one), dpn_table_identity_free(&two);
    sql("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    dpn_table *table;
    dpn_error why;
    assert_int_equal(dpn_table_open(&table, url, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_identify(&one, table, &why), DPN_EIO);
    assert_non_null(strstr(why.sentence, "pg_control_system()"));
    dpn_table_close(table);
    sql("GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC; DROP OWNED BY reader; DROP ROLE reader");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(names_and_views),
        cmocka_unit_test(attack_notices_of_a_view),
        cmocka_unit_test(nothing_is_written),
        cmocka_unit_test(bytes_are_refused),
        cmocka_unit_test(one_state_in_constant_memory),
        cmocka_unit_test(long_rows_and_a_dead_server),
        cmocka_unit_test(identity),
        cmocka_unit_test(identity_for_a_role),
    };
    if (!find_programs()) return skip_program("PostgreSQL's server is not installed");
    return cmocka_run_group_tests(tests, start_server, stop_server);
}
