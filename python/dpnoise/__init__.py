"""Differential-privacy noise: exact, certified, fast.

    >>> import dpnoise
    >>> dpnoise.profile("gaussian(sigma=1)", epsilon=1).upper
    0.126936737...
    >>> dpnoise.calibrate("osgt", 1, 1e-8, dpnoise.Sensitivity(dim=20, linf=1)).mse < 20 * 400
    False

Every number that speaks of privacy is an interval that contains the true value; its `upper` end may back a guarantee.
"""
from ._add import Noisy, add
from ._audit import Audit, AuditPoint, audit, audit_release
from ._calibrate import Plan, calibrate
from ._call import (AccuracyError, BudgetError, DomainError, EntropyError, Error, FileError, NoMemoryError, ParseError,
                    UnsupportedError, lib as _lib, text_of as _text_of)
from ._geometry import MeanNorms, NormBall, TestPower, Volume, linear_moves, power_of_test
from ._ledger import Account, Entry, Ledger
from ._compare import Comparison, compare
from ._fit import Coefficient, Experiment, Model, audit_fit, experiment, fit, forecast, methods
from ._law import Law, families
from ._privacy import (Condition, Delta, Divergence, Epsilon, Guarantee, Sensitivity, Zcdp, compose, condition, conditions, convert,
                       profile, renyi, renyi_bound, renyi_bounds, shuffle, zcdp)
from ._register import amend, register
from ._release import Answer, Cell, release
from ._tally import Tally
from ._training import Accountant, batch_for, noise_for, rate_for, steps_for, training_delta
from ._unequal import Inequality, inequality, majorises

__version__ = _text_of(_lib.dpn_version())


_ESTIMATORS = ("LinearRegression", "LogisticRegression", "QuantileRegression", "PrivacyWarning")


def __getattr__(name):
    # The estimators import scikit-learn if it is there: only who asks for them waits for it.
    if name in _ESTIMATORS:
        from . import _learn

        return getattr(_learn, name)
    raise AttributeError(f"module 'dpnoise' has no attribute '{name}'")


def __dir__():
    return sorted([*globals(), *_ESTIMATORS])
