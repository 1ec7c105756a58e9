"""Laws and plans in SQL."""
import json
import math
import subprocess

from cases import case, near, same
from server import TOOL

LAWS = ["gaussian(sigma=2)", "laplace(scale=1.5)", "flipped-huber(alpha=3,gamma=1)", "osgt(m=3,sigma=6.3)", "staircase(epsilon=1,sensitivity=1,gamma=0.4)",
        "truncated-laplace(scale=1,bound=9)", "subbotin(p=1.5,scale=1)", "logistic(scale=1)", "huber(alpha=1,gamma=1)", "discrete-gaussian(sigma=3)",
        "discrete-laplace(scale=3)", "discrete-flipped-huber(alpha=3,gamma=1)", "discrete-osgt(m=3,sigma=6.3)", "truncated-geometric(epsilon=0.5,n=12,theta=0.3)"]


@case
def every_family(office):
    """every family has its density, distribution and quantiles, as the command has them"""
    families = {row[0] for row in office.admin.rows("SELECT family FROM dp_laws()")}
    same(families, {law.split("(")[0] for law in LAWS})
    for law in LAWS:
        said = json.loads(subprocess.run([TOOL, "law", law, "--at", "2", "--prob", "0.9", "--json"], capture_output=True, text=True, check=True).stdout)
        row = office.admin.rows(f"""SELECT dp_pdf(l, 2), dp_log_pdf(l, 2), dp_cdf(l, 2), dp_sf(l, 2), dp_log_sf(l, 2), dp_quantile(l, 0.9), dp_variance(l),
            dp_isf(l, 0.1), dp_cdf(l, 2) + dp_sf(l, 2), exp(dp_log_cdf(l, 2)) FROM (VALUES ('{law}')) v(l)""")[0]
        at = said["at"][0]
        wanted = [at["pdf"], at["log_pdf"], at["cdf"], at["sf"], at["log_sf"], said["quantiles"][0]["t"], said["variance"]]
        same([float(x) for x in row[:7]], [float(x) for x in wanted])
        near(row[7], float(row[5]), 1e-9)
        near(row[8], 1, 1e-12)
        near(row[9], float(row[2]), 1e-12)


@case
def from_the_definition(office):
    """a Gaussian and a Laplace law agree with their definitions"""
    row = office.admin.rows("SELECT dp_pdf(g, 1), dp_cdf(g, 1), dp_entropy(g), dp_fisher(g), dp_nfi('laplace(scale=3)'), dp_mean_abs('laplace(scale=3)'), "
                            "dp_log_mgf(g, 2), dp_loss(g, 1, 0.5) FROM (VALUES ('gaussian(sigma=2)')) v(g)")[0]
    wanted = [math.exp(-1 / 8) / math.sqrt(8 * math.pi), 0.5 * math.erfc(-0.5 / math.sqrt(2)), 0.5 * math.log(2 * math.pi * math.e * 4), 0.25, 2, 3, 8,
              (1.5**2 - 0.5**2) / 8]
    for got, number in zip(row, wanted):
        near(got, number, 1e-12)


@case
def what_is_undefined(office):
    """what is undefined is NULL, what is no law is refused with its SQLSTATE"""
    same(office.admin.rows("SELECT dp_fisher('discrete-laplace(scale=1)'), dp_quantile('laplace(scale=1)', 2), dp_pdf(NULL, 1), dp_fisher('staircase(epsilon=1,sensitivity=1,gamma=0.4)')"),
         [[None, None, None, "Infinity"]])
    for sql, code in [("SELECT dp_pdf('gauss(sigma=1)', 0)", "22P02"), ("SELECT dp_pdf('gaussian(sigma=-1)', 0)", "22003"),
                      ("SELECT * FROM dp_sample('gaussian(sigma=1)', -1)", "22023"), ("SELECT * FROM dp_sample('gaussian(sigma=1)', 1, 0.3)", "22023"),
                      ("SELECT * FROM dp_sample('discrete-laplace(scale=1)', 1, 0.5)", "22023"), ("SELECT * FROM dp_calibrate('gaussian', 1, sensitivity => 1)", "0A000"),
                      ("SELECT * FROM dp_calibrate('gaussian', 1, 1e-6)", "22023"), ("SELECT * FROM dp_calibrate('gaussian', 'NaN', 1e-6, 1)", "22P02"),
                      ("SELECT * FROM dp_calibrate('gaussian', 1, 1e-6, -1)", "22023"), ("SELECT * FROM dp_calibrate('gaussian', 1, 1e-6, 1, 0)", "22023"),
                      ("SELECT * FROM dp_calibrate('gaussian', 1, 1e-6, sensitivities => ARRAY[1, NULL])", "22023"),
                      ("SELECT * FROM dp_profile('gaussian(sigma=1)', sensitivity => 1)", "22023"), ("SELECT * FROM dp_compare(-1, sensitivity => 1)", "22003"),
                      ("SELECT * FROM dp_compare(1, 1, sensitivity => 1)", "22003")]:
        same((sql, office.admin.refused(sql).code), (sql, code))
    same(office.admin.one("SELECT 1"), "1")


@case
def draws(office):
    """draws are on their grid, follow the law, and differ"""
    rows = office.admin.rows("SELECT count(*), count(DISTINCT x), avg(x), avg(x * x), bool_and(x = round(x * 1024) / 1024) FROM dp_sample('gaussian(sigma=3)', 40000, 2 ^ -10) x")[0]
    same((rows[0], rows[4]), ("40000", "t"))
    assert int(rows[1]) > 3000  # of some 20000 points within two sigma
    assert abs(float(rows[2])) < 6.5 * 3 / 200  # 6.5 standard deviations: 8e-11
    assert abs(float(rows[3]) - 9) < 6.5 * 9 * math.sqrt(2) / 200
    same(office.admin.rows("SELECT count(DISTINCT x) FROM (SELECT dp_sample('laplace(scale=1)') x FROM generate_series(1, 50)) d"), [["50"]])
    same(office.admin.rows("SELECT count(*) FROM dp_sample(NULL, 5)"), [["0"]])


@case
def plans(office):
    """profiles, calibrations and comparisons are those of the command, and certified"""
    row = office.admin.rows("SELECT mechanism, law, mse, delta_upper, plan->0->>'noise' FROM dp_calibrate('laplace', 0.1, sensitivity => 2)")[0]
    same((row[0], row[3]), ("laplace", "0"))
    near(row[2], 2 * 20**2, 1e-9)
    assert float(row[2]) >= 800 and row[1] == row[4]  # the largest double not above 0.1
    gaussian = office.admin.one("SELECT law FROM dp_calibrate('gaussian', 1, 1e-6, l2 => 1, dim => 20)")
    upper, lower, argument = office.admin.rows(f"SELECT delta_upper, delta_lower, argument FROM dp_profile('{gaussian}', epsilon => 1, l2 => 1, dim => 20)")[0]
    assert 0.999e-6 < float(lower) <= float(upper) <= 1e-6 and argument == "l2-Gaussian"
    epsilon = office.admin.one(f"SELECT epsilon_upper FROM dp_profile('{gaussian}', delta => 1e-6, l2 => 1, dim => 20)")
    near(epsilon, 1, 1e-6)
    said = json.loads(subprocess.run([TOOL, "compare", "--epsilon", "1", "--sensitivity", "1", "--json"], capture_output=True, text=True, check=True).stdout)
    rows = office.admin.rows("SELECT mechanism, mse FROM dp_compare(1, sensitivity => 1) WHERE mse IS NOT NULL")
    wanted = [(r["family"], r["mse"]) for r in said["rows"] if r.get("mse") is not None]
    same([(name, float(mse)) for name, mse in rows], wanted)
    assert office.admin.one("SELECT count(*) FROM dp_compare(1, sensitivity => 1) WHERE law IS NULL AND note IS NOT NULL") != "0"


@case
def cancelled(office):
    """a search ends when it is cancelled, and the session goes on"""
    session = office.session("tester")
    session.start("SELECT * FROM dp_compare(1, 1e-6, sensitivities => (SELECT array_agg(i::float8) FROM generate_series(1, 30) i))")
    assert not session.wait(0.5)
    office.admin.rows(f"SELECT pg_cancel_backend({session.pid})")
    assert session.wait(60)
    try:
        session.finish()
        raise AssertionError("it was not cancelled")
    except Exception as error:
        same(error.code, "57014")
    same(session.one("SELECT dp_pdf('laplace(scale=1)', 0)"), "0.5")
    # One look at noise with millions of steps takes minutes by itself.
    session.start("SELECT * FROM dp_profile('discrete-gaussian(sigma=1e7)', epsilon => 0.5, sensitivity => 1, dim => 1000)")
    assert not session.wait(0.5)
    office.admin.rows(f"SELECT pg_cancel_backend({session.pid})")
    assert session.wait(60)
    try:
        session.finish()
        raise AssertionError("it was not cancelled")
    except Exception as error:
        same(error.code, "57014")
    session.rows("SET statement_timeout = 300")
    same(session.refused("SELECT * FROM dp_compare(1, 1e-6, sensitivities => (SELECT array_agg(i::float8) FROM generate_series(1, 30) i))").code, "57014")
    session.close()
