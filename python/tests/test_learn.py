import importlib.util
import json
import os
import signal
import time
import traceback

import numpy as np
import pytest

import dpnoise


def rows(seed=1, n=20000):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 3))
    return X, X @ [0.5, -0.25, 0.1] + 0.2 + 0.05 * rng.standard_normal(n)


def linear(**more):
    return dpnoise.LinearRegression(bounds=(-1, 1), target_bounds=(-1.5, 1.5), **more)


def test_without_noise_it_is_least_squares():
    X, y = rows()
    model = linear(method="non-private").fit(X, y)
    exact = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), y, rcond=None)[0]
    assert np.allclose(model.coef_, exact[1:], atol=1e-4) and model.intercept_ == pytest.approx(exact[0], abs=1e-4)
    assert model.interval_kind_ == "sampling"


def test_private_fits():
    X, y = rows()
    model = linear(epsilon=1).fit(X, y)
    # Some twenty times the usual error at 20000 rows.
    assert np.allclose(model.coef_, [0.5, -0.25, 0.1], atol=0.05) and model.score(X, y) > 0.9
    assert np.all(model.coef_low_ < model.coef_high_) and model.n_features_in_ == 3
    assert json.loads(model.model_json_)["coefficients"][1]["value"] == model.coef_[0]
    assert np.all(np.abs(model.predict(100 * X)) <= 1.5)
    assert np.array_equal(model.predict(1.5 * X), model.predict(np.clip(1.5 * X, -1, 1)))


def test_logistic_fits():
    X, _ = rows()
    y = np.where(X @ [3, -2, 1] > 0, "yes", "no")
    model = dpnoise.LogisticRegression(epsilon=1, bounds=(-1, 1), classes=("no", "yes")).fit(X, y)
    assert model.score(X, y) > 0.9 and set(model.predict(X)) == {"no", "yes"}
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    with pytest.raises(ValueError, match="not among the declared classes"):
        dpnoise.LogisticRegression(bounds=(-1, 1)).fit(X, y)


def test_bounds_are_declared():
    X, y = rows(n=100)
    with pytest.raises(ValueError, match="must be declared"):
        dpnoise.LinearRegression(target_bounds=(0, 1)).fit(X, y)
    with pytest.raises(ValueError, match="must be declared"):
        dpnoise.LinearRegression(bounds=(0, 1)).fit(X, y)


def test_fits_are_charged_once(ledger):
    X, y = rows(n=1000)
    ledger.init("people", epsilon=1)
    one = linear(epsilon="0.6", ledger=ledger, name="people").fit(X, y)
    with pytest.warns(UserWarning, match="not read"):
        two = linear(epsilon="0.6", ledger=ledger, name="people").fit(X, y)
    assert two.stored_ and not one.stored_
    assert np.array_equal(one.coef_, two.coef_) and ledger["people"].left_pure == "0.4"
    with pytest.raises(dpnoise.BudgetError):
        linear(epsilon="0.5", ledger=ledger, name="people").fit(X, y)
    assert ledger["people"].charges == 1


def test_parameters_are_those_of_scikit_learn():
    base = pytest.importorskip("sklearn.base")
    model = linear(epsilon=2, l2=0.1)
    copy = base.clone(model)
    assert copy.get_params() == model.get_params() and copy.set_params(epsilon=3).epsilon == 3


def test_what_is_not_private_is_not_sold(ledger):
    X, y = rows(n=100)
    ledger.init("people", epsilon=1)
    with pytest.raises(dpnoise.UnsupportedError, match="no budget pays for it"):
        linear(method="non-private", epsilon="0.1", ledger=ledger, name="people").fit(X, y)
    assert ledger["people"].charges == 0


def test_classes_and_names_are_part_of_the_question(ledger):
    X, y = rows(n=2000)
    labels = (y > 0.2).astype(int)
    ledger.init("people", epsilon=100)
    said = dict(epsilon=5, bounds=(-1, 1), ledger=ledger, name="people")
    one = dpnoise.LogisticRegression(classes=(0, 1), **said).fit(X, labels)
    two = dpnoise.LogisticRegression(classes=(1, 0), **said).fit(X, labels)
    assert one.score(X, labels) > 0.8 and two.score(X, labels) > 0.8 and not two.stored_
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    model = linear().fit(frame, y)
    with pytest.raises(ValueError, match="order"):
        model.predict(frame[["b", "a", "c"]])
    with pytest.raises(ValueError):
        model.predict(frame[["a", "b"]])


def test_no_value_of_the_data_is_in_an_error():
    X, y = rows(n=50)
    words = {"a": list(X[:, 0]), "b": ["Aunt Agatha"] * 50}
    frames = [words]
    if importlib.util.find_spec("pandas"):
        import pandas

        frames.append(pandas.DataFrame(words))
    for frame in frames:
        with pytest.raises(ValueError, match="numbers") as caught:
            linear(epsilon=1).fit(frame, y)
        assert "Agatha" not in "".join(traceback.format_exception(caught.value))
    target = words["b"]
    with pytest.raises(ValueError) as caught:
        linear(epsilon=1).fit(X, target)
    assert "Agatha" not in "".join(traceback.format_exception(caught.value))


def test_a_fit_can_be_interrupted():
    shares = []

    def progress(done):
        shares.append(done)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)

    X, y = rows(n=2000)
    data = {"x": X[:, 0], "y": y}
    with pytest.raises(KeyboardInterrupt):
        dpnoise.fit("quantile", data, target="y:-1.5:1.5", features="x:-1:1", epsilon=1, progress=progress)
    assert len(shares) <= 3 and shares[0] < 0.01
    # The whole of it is told as it goes on.
    shares.clear()
    dpnoise.fit("quantile", data, target="y:-1.5:1.5", features="x:-1:1", epsilon=1, points=11, progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1


def test_coefficients_in_a_ball():
    X, y = rows(n=5000)
    model = linear(method="objective", epsilon=1e5, within=0.3, within_l2=True).fit(X, y)
    scaled = np.concatenate([[model.intercept_], model.coef_]) / 1.5  # of the target's bounds
    assert np.linalg.norm(scaled) == pytest.approx(0.3, rel=1e-3)
