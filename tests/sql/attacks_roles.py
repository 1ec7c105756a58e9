"""Attacks that try to let another pay, or to ask as another."""
from attack import attack, costs
from cases import same


@attack("both pay, or neither")
def set_role(office):
    """SET ROLE to a role with a quota of its own, to spare one's own"""
    session = office.session()
    question, cost = office.question()
    session.rows("SET ROLE team")
    with costs(office, cost), costs(office, cost, "people/team"):
        session.rows(f"SELECT * FROM {question}")
    session.close()


@attack("refused, and nobody is charged")
def set_role_of_the_poor(office):
    """SET ROLE to a role whose quota is used up"""
    office.admin.rows("CREATE ROLE poor; GRANT poor TO ada; GRANT EXECUTE ON FUNCTION dp_release(text, jsonb) TO poor")
    office.quota("people", "poor", "0.001")
    session = office.session()
    question, _ = office.question()
    session.rows("SET ROLE poor")
    with costs(office, 0), costs(office, 0, "people/poor"):
        same(session.refused(f"SELECT * FROM {question}").code, "53400")
    session.close()


@attack("the user of the session pays")
def set_role_chain(office):
    """SET ROLE within SET ROLE, RESET ROLE, SET LOCAL ROLE, and a function with SET ROLE in it"""
    office.admin.rows("CREATE ROLE deep; GRANT deep TO team; GRANT EXECUTE ON FUNCTION dp_release(text, jsonb) TO deep")
    session = office.session()
    question, cost = office.question()
    session.rows("SET ROLE team; SET ROLE deep; BEGIN; SET LOCAL ROLE team; SAVEPOINT s; SET LOCAL ROLE deep")
    with costs(office, cost), costs(office, cost, "people/team", 0):
        session.rows(f"SELECT * FROM {question}")
    session.rows("COMMIT; RESET ROLE")
    session.close()


@attack("refused by PostgreSQL")
def session_authorization(office):
    """SET SESSION AUTHORIZATION to another, SET ROLE dpnoise_reader"""
    session = office.session()
    same(session.refused("SET SESSION AUTHORIZATION bob").code, "42501")
    same(session.refused("SET ROLE dpnoise_reader").code, "42501")
    same(session.refused("SET ROLE tester").code, "42501")
    session.close()


@attack("refused: who pays is known from the session")
def quota_by_its_name(office):
    """ask for the data set by the name of another's quota"""
    session = office.session()
    epsilon, _ = office.fresh()
    with costs(office, 0, "people/bob"):
        for name in ("people/bob", "people/ada", "people/team"):
            same(session.refused(f"""SELECT * FROM dp_release('{name}', '{{"count": true, "epsilon": "{epsilon}"}}')""").code, "22023")
    session.close()


@attack("refused: where a data set has quotas, who has none may not ask")
def user_without_quota(office):
    """a user who may run the function and has no quota"""
    session = office.session("carl")
    question, _ = office.question()
    with costs(office, 0):
        same(session.refused(f"SELECT * FROM {question}").code, "42501")
        office.admin.rows("GRANT team TO carl")
        session.rows("SET ROLE team")
        same(session.refused(f"SELECT * FROM {question}").code, "42501")
        office.admin.rows("REVOKE team FROM carl")
    session.close()


@attack("the quota is that of the name, and stays used up")
def role_dropped_and_made_anew(office):
    """the analyst's role is dropped and created again"""
    make = "CREATE ROLE eve LOGIN; GRANT EXECUTE ON FUNCTION dp_release(text, jsonb) TO eve"
    office.admin.rows(make)
    office.quota("people", "eve", "0.5")
    session = office.session("eve")
    spec = """SELECT * FROM dp_release('people', '{"count": true, "where": ["age>%d"], "epsilon": "0.4"}')"""
    session.rows(spec % 1)
    session.close()
    office.admin.rows("DROP OWNED BY eve; DROP ROLE eve; " + make)
    session = office.session("eve")
    same(session.refused(spec % 2).code, "53400")
    session.close()


@attack("refused: the new name has no quota")
def role_renamed(office):
    """a role is renamed to shake off its quota"""
    office.admin.rows("CREATE ROLE fay LOGIN; GRANT EXECUTE ON FUNCTION dp_release(text, jsonb) TO fay")
    office.quota("people", "fay", "0.5")
    office.admin.rows("ALTER ROLE fay RENAME TO faye")
    session = office.session("faye")
    question, _ = office.question()
    same(session.refused(f"SELECT * FROM {question}").code, "42501")
    session.close()


@attack("the user of the session pays")
def definer_function(office):
    """a SECURITY DEFINER function of another, which asks in its owner's name"""
    owner, session = office.session("bob"), office.session()
    question, cost = office.question()
    owner.rows(f"CREATE FUNCTION lend() RETURNS float8 LANGUAGE sql SECURITY DEFINER AS $$ SELECT value FROM {question} $$")
    with costs(office, cost), costs(office, cost, "people/bob", 0):
        session.rows("SELECT lend()")
    owner.rows("DROP FUNCTION lend()")
    owner.close()
    session.close()


@attack("the user of the session pays")
def view_of_another(office):
    """a view of another over the function"""
    owner, session = office.session("bob"), office.session()
    question, cost = office.question()
    owner.rows(f"CREATE VIEW lent AS SELECT * FROM {question}; GRANT SELECT ON lent TO ada")
    with costs(office, cost), costs(office, cost, "people/bob", 0):
        session.rows("SELECT * FROM lent")
    owner.rows("DROP VIEW lent")
    owner.close()
    session.close()


@attack("refused: superusers have no quota")
def superuser_as_a_deputy(office):
    """let a superuser read a view that asks"""
    session = office.session()
    question, _ = office.question()
    session.rows(f"CREATE VIEW bait AS SELECT * FROM {question}")
    with costs(office, 0):
        same(office.admin.refused("SELECT * FROM bait").code, "42501")
    session.rows("DROP VIEW bait")
    session.close()


@attack("refused: maintenance asks nothing")
def index_expression(office):
    """hide the question in the expression of an index, which ANALYZE runs for whoever maintains the table"""
    session = office.session()
    question, cost = office.question()
    session.rows(f"""CREATE TABLE bait (x int); CREATE FUNCTION hidden(int) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$ SELECT value FROM public.{question} $$;
        CREATE INDEX ON bait (hidden(x))""")
    with costs(office, cost):  # in the analyst's own session it is an insert like any other
        session.rows("INSERT INTO bait VALUES (1)")
    other, _ = office.question()
    session.rows(f"CREATE OR REPLACE FUNCTION hidden(int) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$ SELECT value FROM public.{other} $$")
    with costs(office, 0):
        same(office.admin.refused("ANALYZE bait").code, "42501")
        same(office.admin.refused("REINDEX TABLE bait").code, "42501")
        same(office.admin.refused("CLUSTER bait USING bait_hidden_idx").code, "42501")
    session.rows("DROP TABLE bait; DROP FUNCTION hidden")
    session.close()


@attack("refused: maintenance asks nothing")
def materialized_view(office):
    """a materialized view, refreshed by its owner or by a superuser"""
    session = office.session()
    question, _ = office.question()
    session.rows(f"CREATE MATERIALIZED VIEW kept AS SELECT * FROM {question} WITH NO DATA")
    with costs(office, 0):
        same(session.refused("REFRESH MATERIALIZED VIEW kept").code, "42501")
        same(office.admin.refused("REFRESH MATERIALIZED VIEW kept").code, "42501")
    session.rows("DROP MATERIALIZED VIEW kept")
    session.close()


@attack("who writes into a stranger's table runs its triggers, and pays: as everywhere in PostgreSQL")
def trigger_of_another(office):
    """a trigger that asks in the name of whoever inserts"""
    owner, session = office.session("bob"), office.session()
    question, cost = office.question()
    owner.rows(f"""CREATE TABLE box (x int); GRANT INSERT ON box TO ada;
        CREATE FUNCTION pull() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM * FROM public.{question}; RETURN NEW; END $$;
        CREATE TRIGGER t BEFORE INSERT ON box FOR EACH ROW EXECUTE FUNCTION pull()""")
    with costs(office, cost), costs(office, cost, "people/bob", 0):
        session.rows("INSERT INTO box VALUES (1)")
    owner.rows("DROP TABLE box; DROP FUNCTION pull")
    owner.close()
    session.close()


@attack("refused: a parallel worker has no session")
def parallel_worker(office):
    """wrap the function in one that claims to be PARALLEL SAFE"""
    session = office.session()
    question, _ = office.question()
    force = "debug_parallel_query" if int(session.one("SHOW server_version_num")) >= 160000 else "force_parallel_mode"
    session.rows(f"""CREATE FUNCTION hurry(int) RETURNS float8 LANGUAGE sql PARALLEL SAFE AS $$ SELECT value FROM public.{question} WHERE $1 > 0 $$;
        CREATE TABLE many AS SELECT generate_series(1, 1000) x; SET {force} = on; SET max_parallel_workers_per_gather = 2""")
    with costs(office, 0):
        same(session.refused("SELECT sum(hurry(x)) FROM many").code, "25000")
    session.rows("DROP TABLE many; DROP FUNCTION hurry")
    session.close()


@attack("names that no ledger takes are refused; the server goes on")
def odd_roles(office):
    """roles called x/y, people/bob, quotes, line ends"""
    long = '"' + "\u00e9" * 31 + '"'  # two bytes a letter: no record of it may end within one
    for name in ('"x/y"', '"people/bob"', "\"a\"\"b'c\"", 'U&"line\\000aend"', '"' + "l" * 63 + '"', long):
        office.admin.rows(f"CREATE ROLE {name} LOGIN; GRANT EXECUTE ON FUNCTION dp_release(text, jsonb) TO {name}; GRANT {name} TO ada")
        session = office.session()
        session.rows(f"SET ROLE {name}")
        question, cost = office.question()
        before = office.spent()
        try:
            session.rows(f"SELECT * FROM {question}")
            same(office.spent() - before, cost)  # its session's user paid
        except Exception as error:
            assert name != long, error
            same((name, error.code), (name, "22003"))
            same(office.spent(), before)
        session.close()


@attack("refused by PostgreSQL")
def change_the_function(office):
    """replace, alter or drop dp_release, or point a function of one's own at the module"""
    session = office.session()
    for sql in ("ALTER FUNCTION dp_release(text, jsonb) SECURITY INVOKER", "ALTER FUNCTION dp_release(text, jsonb) RESET ALL", "DROP FUNCTION dp_release(text, jsonb)",
                "ALTER FUNCTION dp_release(text, jsonb) OWNER TO ada", "GRANT EXECUTE ON FUNCTION dp_release(text, jsonb) TO dora",
                "CREATE FUNCTION mine(text, jsonb) RETURNS SETOF record LANGUAGE c AS '$libdir/dpnoise', 'dp_release'", "ALTER EXTENSION dpnoise UPDATE", "DROP EXTENSION dpnoise",
                "GRANT dpnoise_reader TO ada", "ALTER ROLE dpnoise_reader LOGIN"):
        try:
            session.rows(sql)
            assert sql.startswith("GRANT EXECUTE") and session.notices, sql  # PostgreSQL warns that nothing was granted
        except Exception as error:
            same((sql, getattr(error, "code", error)), (sql, "42501"))
    same(office.admin.one("SELECT has_function_privilege('dora', 'dp_release(text, jsonb)', 'EXECUTE')"), "f")
    session.close()


@attack("refused: such an owner could read anything")
def superuser_as_the_owner(office):
    """the function is given to a superuser by mistake"""
    question, _ = office.question()
    session = office.session()
    office.admin.rows("ALTER FUNCTION dp_release(text, jsonb) OWNER TO tester")
    try:
        with costs(office, 0):
            same(session.refused(f"SELECT * FROM {question}").code, "42501")
    finally:
        office.admin.rows("ALTER FUNCTION dp_release(text, jsonb) OWNER TO dpnoise_reader")
    session.close()


@attack("CREATE EXTENSION is refused")
def reader_made_before(office):
    """somebody creates the role dpnoise_reader beforehand, with a login or with members"""
    office.admin.rows("CREATE DATABASE other")
    session = office.session("tester", database="other")
    for before, after in [("ALTER ROLE dpnoise_reader LOGIN", "ALTER ROLE dpnoise_reader NOLOGIN"), ("GRANT dpnoise_reader TO dora", "REVOKE dpnoise_reader FROM dora"),
                          ("ALTER ROLE dpnoise_reader SUPERUSER", "ALTER ROLE dpnoise_reader NOSUPERUSER")]:
        office.admin.rows(before)
        same(session.refused("CREATE EXTENSION dpnoise").code, "P0001")
        office.admin.rows(after)
    session.rows("CREATE EXTENSION dpnoise")
    session.close()
    office.admin.rows("DROP DATABASE other")


@attack("refused by PostgreSQL: the extension is not trusted")
def own_extension(office):
    """the owner of a database creates the extension there"""
    office.admin.rows("CREATE DATABASE hers OWNER ada")
    session = office.session(database="hers")
    same(session.refused("CREATE EXTENSION dpnoise").code, "42501")
    session.close()
    office.admin.rows("DROP DATABASE hers")
