import math
import pickle

import numpy as np
import pytest

from dpnoise import NormBall, linear_moves, power_of_test


def test_norms_by_their_definitions():
    u = np.array([3.0, -4.0])
    assert NormBall.l2(2).norm(u) == pytest.approx(5) and NormBall.l1([1, 2]).norm(u) == pytest.approx(5)
    assert NormBall.box([1, 2]).norm(u) == pytest.approx(3) and NormBall.lp(3, 2).norm(u) == pytest.approx(91 ** (1 / 3))
    ball = NormBall.hull([[2, 0], [1, 2], [1, -2]])
    assert ball.norm_upper([2, 0]) >= 1 and ball.norm_upper([2, 0]) == pytest.approx(1, rel=1e-8)
    assert [0.5, 0.5] in ball and [2, 2] not in ball and len(ball.vertices) == 6 and ball.support([0, 1]) == pytest.approx(2)
    assert ball.half_widths().tolist() == [2, 2]
    points = NormBall.points([[2, 0], [1, 2], [1, -2]])
    assert points.norm([1.3, 0.4]) == pytest.approx(ball.norm([1.3, 0.4]), rel=1e-9)
    assert NormBall.box(2).image([[1, 1], [0, 2]]).norm([2, 2]) == pytest.approx(1)


def test_joined_balls():
    one, two = NormBall.l2(2), NormBall.box(1)
    assert (one * two).norm([3, 4, 6]) == pytest.approx(6) and (one + two).norm([3, 4, 6]) == pytest.approx(11)
    both = NormBall.box(2) & NormBall.l1([1.5, 1.5])
    assert both.norm([1, 1]) == pytest.approx(2 / 1.5)
    # pi/4 of a square, by the definition of both areas.
    assert NormBall.l2(2).volume().log == pytest.approx(math.log(math.pi)) and NormBall.k2().dim == 2
    area = (NormBall.box(2) & NormBall.l2(2)).volume(200_000)
    assert area.log_lower <= math.log(math.pi) <= area.log_upper
    assert pickle.loads(pickle.dumps(one * two)) == one * two and hash(one) == hash(NormBall.l2(2))
    assert one.is_inside(NormBall.box(2)) is True and NormBall.box(2).is_inside(one) is False
    with pytest.raises(ValueError):
        one.norm([1, 2, 3])
    with pytest.raises(ValueError):
        NormBall.box(2) & NormBall.box(3)


def test_measures_as_in_the_shell(shell, tmp_path):
    assert NormBall.k3().volume().log == pytest.approx(shell("knorm", "volume", "k3")["log_volume"], abs=0.05)
    told = shell("knorm", "norm", "l2(1,2)", "--at", "3,4")
    assert NormBall.l2([1, 2]).norm([3, 4]) == pytest.approx(told["norm"], rel=1e-15)
    told = shell("knorm", "depth", "box(1,2)", "--at", "1,1", "--prob", "0.5", "--epsilon", 0.5)
    ball = NormBall.box([1, 2])
    assert ball.depth([1, 1], epsilon=0.5) == pytest.approx(told["depth"], rel=1e-12)
    assert ball.radius(0.5, epsilon=0.5) == pytest.approx(told["concentration"][0]["radius"], rel=1e-12)
    told = shell("knorm", "power", "--level", 0.05, "--epsilon", 1)
    assert power_of_test(1, 0.05).both == pytest.approx(told["power"][0]["power"], rel=1e-12)


def test_noise_has_its_law():
    """|V| of 20000 draws is a Gamma variable of shape 2: its mean within six standard errors."""
    ball = NormBall.l1([1, 2])
    draws = ball.rvs(20_000, epsilon=2)
    norms = np.abs(draws / [1, 2]).sum(axis=1)
    assert abs(norms.mean() - 1) < 6 * math.sqrt(2) / 2 / math.sqrt(len(norms))
    norms = ball.mean_norms(epsilon=2)
    assert abs((draws[:, 0] ** 2).mean() - norms.variance[0]) < 6 * np.std(draws[:, 0] ** 2) / math.sqrt(len(draws))
    assert ball.rvs().shape == (2,) and ball.entropy(epsilon=2) == pytest.approx(
        math.log((math.e / 2) ** 2 * 2) + ball.volume().log)
    assert ball.conditional_variance([1, 0], epsilon=2) == pytest.approx(6 / 4)
    assert linear_moves([[1, 0], [1, 1]], [0, 0], [1, 2]).shape == (2, 2)
    assert ball.sensitivity([[1, 2], [0.5, 0]]) == pytest.approx(2)
