"""What the shell can do, asked of both."""
import json

import numpy as np
import pytest

import dpnoise
from dpnoise import Sensitivity


def test_divergences(shell, tmp_path):
    told = shell("renyi", "osgt(m=15,sigma=25)", "--sensitivity", 1, "--dim", 8, "--order", 71.66, "--bound", "osgt-16")
    of = Sensitivity(dim=8, linf=1)
    found = dpnoise.renyi("osgt(m=15,sigma=25)", of, order=71.66)
    assert found.upper == told["divergence"]
    assert repr(dpnoise.renyi_bound("osgt-16", "osgt(m=15,sigma=25)", of, order=71.66)) in json.dumps(told)
    told = shell("renyi", "--law", "laplace(scale=10)", "--sensitivity", 1, "--times", 100, "--order", 4)
    parts = [("laplace(scale=10)", 1, 100)]
    assert dpnoise.renyi(parts, order=4).upper == told["divergence"]
    zcdp = dpnoise.zcdp(parts)
    assert (zcdp.xi, zcdp.rho) == (told["zcdp"]["xi"], told["zcdp"]["eta"])
    plan = dpnoise.calibrate("gaussian", 1, 1e-6, [1, 2])
    (tmp_path / "plan.json").write_text(plan.to_json())
    told = shell("renyi", "--plan", tmp_path / "plan.json", "--order", 8)
    assert dpnoise.renyi(plan, order=8).upper == told["divergence"]
    with pytest.raises(ValueError, match="guarantees"):
        dpnoise.renyi([("pure(epsilon=1)", 2)], order=2)


def test_conditions_and_shuffles(shell):
    law = "flipped-huber(alpha=3,gamma=5)"
    told = shell("profile", law, "--sensitivity", 1, "--epsilon", 0.5, "--condition", "fh-theorem-8")
    found = dpnoise.condition("fh-theorem-8", law, epsilon=0.5)
    assert repr(found.delta) in json.dumps(told)
    assert "fh-theorem-8" in dpnoise.conditions() and "osgt-16" in dpnoise.renyi_bounds()
    told = shell("profile", "--pure", 1, "--shuffle", 10000, "--delta", 1e-6)
    assert dpnoise.shuffle(1, 10000, delta=1e-6).upper == told["epsilon"]


def test_noise_of_every_kind(shell):
    """Calibration by each mechanism that one command has, to the last digit."""
    for family, delta, sensitivities in (("start-box", 0, "1,1,2"), ("random-box", 1e-6, ",".join(20 * ["1"])), ("truncated-geometric", 1e-3, "1"),
                                         ("blocks", 0, "1,2,3"), ("start-staircase", 0, "1,1")):
        words = ["calibrate", family, "--epsilon", 1, "--sensitivities", sensitivities] + (["--delta", delta] if delta else [])
        told = shell(*words)
        plan = dpnoise.calibrate(family, 1, delta, [float(one) for one in sensitivities.split(",")])
        assert plan.mse == told["mse"] and plan.noise[0].split("(")[0] == told["plan"][0]["noise"].split("(")[0], family
    told = shell("calibrate", "k-norm", "--epsilon", 1, "--linf", 1, "--dim", 30, "--max-changed", 2, "--ball", "l2")
    assert dpnoise.calibrate("k-norm", 1, 0, Sensitivity(dim=30, linf=1, max_changed=2), ball="l2").mse == told["mse"]
    told = shell("calibrate", "osgt", "--mse", 25, "--delta", 1e-6, "--sensitivity", 1)
    plan = dpnoise.calibrate("osgt", None, 1e-6, error=25)
    assert plan.epsilon == told["epsilon"] and plan.mse <= 25
    told = shell("calibrate", "flipped-huber", "--variance", 16, "--scale", 7)
    assert str(dpnoise.Law.of_variance("flipped-huber", 16, scale=7)) == told["law"]


def test_comparisons(shell):
    told = shell("compare", "--mse", 8, "--sensitivity", 1)
    ranked = dpnoise.compare(error=8)
    assert [(plan.family, plan.epsilon) for plan in ranked] == [(row["family"], row["epsilon"]) for row in told["rows"] if row.get("mse") is not None]
    page = ranked._repr_html_()
    assert page.count("<tr>") == len(ranked) + 1 and "<polyline" in page and "families have no such noise" in page
    frame = pytest.importorskip("pandas") and ranked.to_pandas()
    assert list(frame["family"]) == [plan.family for plan in ranked] and frame["delta_upper"].max() == 0
    with pytest.raises(TypeError, match="epsilon, for the least error"):
        dpnoise.compare()


def test_losses(shell):
    told = shell("loss", "osgt(m=3,sigma=6.3)", "--shift", 1, "--at", "0.5")
    law = dpnoise.Law("osgt(m=3,sigma=6.3)")
    point = json.dumps(told)
    assert repr(float(law.loss(0.5, 1))) in point and repr(float(law.loss_centred(0.5, 1))) in point
    assert law.loss([0.0, 0.5]).shape == (2,) and law.loss(0.5) == pytest.approx(law.logpdf(0.5) - law.logpdf(1.5), rel=1e-12)
    assert law.logmgf(0.0) == 0 and dpnoise.Law("laplace(scale=2)").mgf_bound() == 0.5
    assert dpnoise.Law("gaussian(sigma=2)").logmgf(1.5) == pytest.approx(4.5)


def test_training_by_other_samples(shell):
    told = shell("profile", "--law", "gaussian(sigma=2)", "--sensitivity", 2, "--batch", 100, "--population", 10000, "--steps", 50, "--epsilon", 1)
    found = dpnoise.training_delta("gaussian(sigma=2)", 1, steps=50, sensitivity=2, batch=100, population=10000)
    assert found.lower <= told["delta"] * (1 + 1e-9) and found.upper == pytest.approx(told["delta"], rel=1e-3)  # 1e-4 each
    told = shell("calibrate", "gaussian(sigma=1)", "--sample-rate", 0.01, "--steps", "most", "--epsilon", 2, "--delta", 1e-6, "--sensitivity", 1)
    most = dpnoise.steps_for("gaussian(sigma=1)", 2, 1e-6, 0.01)
    assert most == told["steps"]
    run = dpnoise.Accountant()
    run.step(1.0, 0.01, most)
    assert run.epsilon(1e-6).upper <= 2 and run.renyi([2, 4])[1].upper > run.renyi(2).upper
    rate = dpnoise.rate_for("gaussian(sigma=1)", 2, 1e-6, 100)
    assert dpnoise.training_delta("gaussian(sigma=1)", 2, rate, 100).upper <= 1e-6
    with pytest.raises(dpnoise.UnsupportedError, match="not even a rate of 1e-15"):
        dpnoise.rate_for("gaussian(sigma=0.001)", 0.1, 1e-20, 10)
    batch = dpnoise.batch_for("gaussian(sigma=4)", 2, 1e-6, 10, 1000, sensitivity=2)
    assert dpnoise.training_delta("gaussian(sigma=4)", 2, steps=10, sensitivity=2, batch=batch, population=1000).upper <= 1e-6


def test_numbers_with_noise(ledger, shell):
    ledger.init("people", epsilon=1)
    noisy = dpnoise.add([120, 45, 8], epsilon="0.5", sensitivity=Sensitivity.histogram(3), whole=True, ledger=ledger, name="people")
    assert noisy.head.startswith("3:") and float(ledger["people"].left_pure) == pytest.approx(0.5, rel=1e-12)
    assert all(float(one).is_integer() for one in noisy.text) and ledger.history()[-1].kind == "charge"
    with pytest.raises(dpnoise.BudgetError):
        dpnoise.add([1], epsilon="0.6", ledger=ledger, name="people")
    hull = Sensitivity(vertices=[[2, 0], [1, 2], [1, -2]])
    drawn = dpnoise.add([10, 20], 1, sensitivity=hull, ball="hull")
    assert "ball=hull" in json.dumps(drawn.plan) and np.asarray(drawn).shape == (2,)


def test_fits(shell, tmp_path):
    """Without noise both are least squares of the same rows; with it the same question of one ledger."""
    table = tmp_path / "people.csv"
    rows = {"hours": [38, 40, 20, 12, 55] * 40, "sex": ["f", "m", "f", "m", "f"] * 40, "income": [31, 42, 18, 9, 60] * 40}
    table.write_text("hours,sex,income\n" + "".join("%s,%s,%s\n" % row for row in zip(*rows.values())))
    said = dict(target="income:0:100", features=["hours:0:80", "sex"], levels={"sex": ["f", "m"]})
    words = ["--target", "income:0:100", "--features", "hours:0:80,sex", "--levels", "sex=f,m"]
    told = shell("fit", "linear", table, *words, "--method", "non-private")
    for data in (rows, table):
        model = dpnoise.fit("linear", data, method="non-private", **said)
        assert not model.is_private and [one.value for one in model.coefficients] == [one["value"] for one in told["coefficients"]]
    ledger = tmp_path / "ledger.db"
    with dpnoise.Ledger(ledger, create=True) as made:
        made.init("people", epsilon=10, delta="1e-5")
        for kind, more, extra in (("quantile", dict(quantile=0.25), ["--quantile", 0.25]), ("linear", dict(method="sgd", delta="1e-6"), ["--method", "sgd", "--delta", "1e-6"]),
                                  ("logistic", dict(method="kng"), ["--method", "kng"])):
            model = dpnoise.fit(kind, table, ledger=made, name="people", epsilon=1, **said, **more)
            told = shell("fit", kind, table, *words, *extra, "--epsilon", 1, "--dataset", "people", "--ledger", ledger)
            assert [one.value for one in model.coefficients] == [one["value"] for one in told["coefficients"]], kind
        assert made["people"].charges == 3
    again = dpnoise.Model(model.to_json())
    assert np.array_equal(again.predict(rows), model.predict(rows)) and again.features == [("hours", None), ("sex", "m")]
    (tmp_path / "model.json").write_text(model.to_json())
    told = shell("predict", tmp_path / "model.json", table)
    assert model.predict({name: column[:5] for name, column in rows.items()}).tolist() == pytest.approx(told["predictions"][:5])
    tuned = dpnoise.fit("linear", rows, public=rows, epsilon=1, **said)
    private = dpnoise.fit("linear", rows, tune=True, epsilon=1, **said)
    aggregate = dpnoise.fit("linear", rows, method="aggregate", blocks=4, epsilon=1, **said)
    assert tuned.is_private and private.is_private and aggregate.method == "aggregate"
    assert {"cd", "kng", "sgd", "aggregate"} <= set(dpnoise.methods())
    measured = dpnoise.experiment("linear", rows, target="income:0:100", features="hours:0:80", method="cd", epsilon=1, delta="1e-5", trials=2)
    assert measured.rows == 160 and measured.plain_test < 1
    with pytest.raises(dpnoise.Error, match="delta"):
        dpnoise.fit("linear", rows, tune=True, epsilon=1, delta="1e-6", **said)  # choosing privately is pure
    holes = {name: column + [None] for name, column in rows.items()}
    assert dpnoise.fit("linear", holes, method="non-private", **said).coefficients == dpnoise.fit("linear", rows, method="non-private", **said).coefficients
    with pytest.raises(TypeError, match="colour"):
        dpnoise.fit("linear", rows, colour=1, epsilon=1, **said)
