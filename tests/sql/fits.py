"""Regressions of registered tables."""
import json

from cases import case, near, same

import attack

FIT = """SELECT coefficient, value, low, high, "interval", receipt FROM dp_fit('plots', '%s')"""
ASKED = {"mean": ["yield", "rain", "sun"], "by": ["soil"], "epsilon": "1000"}


def plots(office):
    """A table whose least squares are known: yield = 5 + 0.5 rain - 0.25 sun + 2 [clay], and a residual that is orthogonal to all of them."""
    office.admin.rows("""DROP TABLE IF EXISTS plots; CREATE TABLE plots (field text, yield float8, rain integer, sun numeric, soil text);
        INSERT INTO plots SELECT 'f' || i % 1500, 5 + 0.5 * (i % 21) - 0.25 * (i / 21 % 31) + CASE i / 651 % 2 WHEN 0 THEN 2 ELSE 0 END + CASE i / 1302 % 2 WHEN 0 THEN 1 ELSE -1 END,
            i % 21, i / 21 % 31, CASE i / 651 % 2 WHEN 0 THEN 'clay' ELSE 'sand' END FROM generate_series(0, 26039) i;
        INSERT INTO plots VALUES ('x', 'NaN', 3, 3, 'clay'), ('x', 3, NULL, 3, 'clay'), ('x', 3, 3, 3, 'rock'), ('x', 3, 3, 'NaN', 'sand');
        GRANT SELECT ON plots TO dpnoise_reader; GRANT EXECUTE ON FUNCTION dp_fit(text, jsonb) TO ada, bob, carl""")
    if not office.tool("budget", "show", "plots", check=False).returncode == 0:
        office.tool("register", "plots", office.server.url(), "--table", "plots", "--number", "yield:-10:30", "--number", "rain:0:20", "--number", "sun:0:30", "--category",
                    "soil=sand,clay", "--epsilon", "100000", "--most-epsilon", "2000")
        office.quota("plots", "ada", "100000")


def expect(rows):
    for (name, value, low, high, kind, _), (wanted, truth) in zip(rows, [("(intercept)", 5), ("rain", 0.5), ("sun", -0.25), ("soil=clay", 2)], strict=True):
        same((name, kind), (wanted, "noise"))
        assert float(low) <= float(value) <= float(high) and abs(float(value) - truth) < 0.02, (name, value, truth)


@case
def the_model(office):
    """a fit finds the coefficients of the table, with intervals, at the cost that was asked; the command gives the same model for nothing"""
    plots(office)
    before = office.spent("plots")
    session = office.session()
    rows = session.rows(FIT % json.dumps(ASKED))
    expect(rows)
    same(session.rows(FIT % json.dumps({**ASKED, "fit": {"kind": "linear", "method": "moments"}})), rows)
    same(office.spent("plots") - before, 1000000)
    asked = {"dataset": "plots", "fit": {"kind": "linear", "method": "moments"}, **ASKED}
    said = office.server.run("/bin/sh", "-c", 'printf %s "$1" | "$2" ask --json --analyst ada --ledger "$3"', "ask", json.dumps(asked), f"{office.server.place}/dpnoise", office.server.ledger)
    model = json.loads(said.stdout)["model"]
    same([[c["name"], float(c["value"])] for c in model["coefficients"]], [[r[0], float(r[1])] for r in rows])
    same(office.spent("plots") - before, 1000000)
    session.close()


@case
def other_fits(office):
    """ridge, lasso, no intercept, raw and a family of noise are fitted as LAPACK fits them; other methods are the command's"""
    session = office.session()
    plain = {"mean": ["yield", "rain", "sun"], "epsilon": "1000"}
    # The same fits by the command of the same rows, with noise of its own.
    other = f"{office.server.room}/budgets/other.db"
    office.server.tool("register", "plots", office.server.url(), "--table", "plots", "--number", "yield:-10:30", "--number", "rain:0:20", "--number", "sun:0:30", "--epsilon", "100000",
                       "--most-epsilon", "2000", "--ledger", other)
    office.server.tool("budget", "init", "plots/ada", "--of", "plots", "--epsilon", "100000", "--ledger", other)
    for fit in ({"l2": 0.5}, {"l1": 0.01}, {"no_intercept": True}, {"raw": True}, {"noise": "laplace"}):
        asked = {"fit": {"kind": "linear", "method": "moments", **fit}, **plain}
        rows = session.rows(FIT % json.dumps(asked))
        said = office.server.run("/bin/sh", "-c", 'printf %s "$1" | "$2" ask --json --analyst ada --ledger "$3"', "ask", json.dumps({"dataset": "plots", **asked}),
                                 f"{office.server.place}/dpnoise", other)
        for row, theirs in zip(rows, json.loads(said.stdout)["model"]["coefficients"], strict=True):
            same(row[0], theirs["name"])
            assert abs(float(row[1]) - float(theirs["value"])) < 0.02, (fit, row, theirs)
    for fit, code in [({"method": "cd"}, "22P02"), ({"kind": "logistic"}, "0A000"), ({"tune": True}, "0A000"), ({"ball": "l1"}, "0A000"), ({"clip": 1}, "0A000")]:
        same((fit, session.refused(FIT % json.dumps({"fit": {"kind": "linear", **fit}, **plain})).code), (fit, code))
    session.close()


@case
def persons_of_a_fit(office):
    """a fit of persons reads some of each person's rows"""
    office.tool("register", "fields", office.server.url(), "--table", "plots", "--number", "yield:-10:30", "--number", "rain:0:20", "--number", "sun:0:30", "--category", "soil=sand,clay",
                "--person-id", "field", "--max-rows", "2", "--epsilon", "100000", "--most-epsilon", "5000", check=False)
    session = office.session("carl")
    refused = office.tool("budget", "show", "fields", check=False).returncode
    if refused:  # the table has a budget already: its copy has none
        office.admin.rows("CREATE TABLE fields AS TABLE plots; GRANT SELECT ON fields TO dpnoise_reader")
        office.tool("register", "fields", office.server.url(), "--table", "fields", "--number", "yield:-10:30", "--number", "rain:0:20", "--number", "sun:0:30", "--category", "soil=sand,clay",
                    "--person-id", "field", "--max-rows", "2", "--epsilon", "100000", "--most-epsilon", "5000")
    rows = session.rows("SELECT value FROM dp_fit('fields', '%s')" % json.dumps({**ASKED, "epsilon": "4000"}))
    near(rows[1][0], 0.5, 0.1)
    near(rows[2][0], -0.25, 0.1)
    session.close()


@case
def fit_is_not_granted(office):
    """PUBLIC may not fit, and the function is its reader's"""
    dora = office.session("dora")
    same(dora.refused(FIT % json.dumps(ASKED)).code, "42501")
    same(office.admin.rows("SELECT r.rolname, prosecdef, proparallel, provolatile, cardinality(proconfig) FROM pg_proc JOIN pg_roles r ON r.oid = proowner WHERE proname = 'dp_fit'"),
         [["dpnoise_reader", "t", "u", "v", "6"]])
    same(office.admin.rows("SELECT count(*) FROM dp_fit(NULL, '{}')"), [["0"]])
    dora.close()
