"""Budgets on disk."""
import functools
import html
import json
import os
import threading
from typing import NamedTuple

from ._call import DomainError, call, encoded, ffi, lib, number_text, printed, text_of, workspace, written
from ._picture import bar, table
from ._privacy import _RELATIONS, _UNITS, choice
from ._sqlite import Opening, refuse_shared


def decimal(number):
    """A dpn_decimal, exactly as the number is written."""
    out = ffi.new("dpn_decimal *")
    call(lib.dpn_decimal_parse, out, encoded(number_text(number)))
    return out


def decimal_text(c):
    return printed(lib.DPN_DECIMAL_TEXT_SIZE, lib.dpn_decimal_print, ffi.addressof(c))


def head_text(head):
    return printed(lib.DPN_HEAD_TEXT_SIZE, lib.dpn_head_print, ffi.addressof(head))


def optional(text):
    return ffi.NULL if text is None else ffi.new("char[]", encoded(text))


class Account(NamedTuple):
    """A budget at one moment. Epsilons and deltas that are exact decimals are texts."""

    name: str
    of: str  # the cap, of a quota; else ""
    epsilon: str
    delta: str
    relation: str
    unit: str
    spent_epsilon: float  # an upper bound
    spent_delta: str
    set_aside: str  # of delta, for Renyi sums
    left_pure: str  # the most epsilon that one more pure charge can have
    charges: int
    periods: int
    version: int  # of the registration; 0: not registered


class Entry(NamedTuple):
    """What was recorded: a budget, a charge, ..."""

    head: str
    kind: str
    time: str
    name: str
    user: str
    note: str
    epsilon: str  # of a pure charge, else ""
    delta: str
    text: str  # all of it, JSON


def _alone(method):
    """One thread at a time uses a ledger."""

    @functools.wraps(method)
    def locked(self, *arguments, **named):
        with self._lock:
            return method(self, *arguments, **named)

    return locked


class Ledger:
    """A privacy budget in an SQLite file that many processes share. A charge that is accepted is on the disk before the call returns.

    >>> import tempfile
    >>> directory = tempfile.mkdtemp()
    >>> with Ledger(directory + "/people.db", create=True) as ledger:
    ...     _ = ledger.init("people", epsilon=1, delta="1e-6")
    ...     _ = ledger.charge("people", epsilon="0.25")
    ...     ledger["people"].left_pure
    '0.75'
    """

    def __init__(self, path, *, create=False, key=None, wait_ms=0, wal=False):
        self._make(path, lib.dpn_ledger_create if create else lib.dpn_ledger_open, (), key, wait_ms, wal)

    @classmethod
    def from_export(cls, path, text, *, key=None, wait_ms=0, wal=False):
        """A new ledger from what `export` wrote, verified with the key, which must be there. Then two ledgers have the same remaining
        budget: retire one of them."""
        made, c = cls.__new__(cls), encoded(text)
        made._make(path, lib.dpn_ledger_import, (c, len(c)), key, wait_ms, wal)
        return made

    def _make(self, path, function, more, key, wait_ms, wal):
        self._lock, self._key, self._c = threading.RLock(), None if key is None else os.fspath(key), None
        self._keep = optional(self._key)
        options = ffi.new("dpn_ledger_options *", lib.dpn_ledger_options_init())
        options.key, options.wait, options.wal = self._keep, wait_ms, wal
        made = ffi.new("dpn_ledger **")
        with Opening(path):
            call(function, made, os.fsencode(encoded(os.fspath(path)).decode()), options, *more)
        self._c, self.path = ffi.gc(made[0], lib.dpn_ledger_close), os.fspath(path)

    @_alone
    def close(self):
        if self._c is not None:
            ffi.release(self._c)
            self._c = None

    # A copy is the same ledger, as scikit-learn's clones want it; another process opens the file anew.
    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _reopened, (os.path.abspath(self.path), self._key)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _open(self):
        if self._c is None:
            raise DomainError("the ledger is closed")
        refuse_shared(self.path)
        return self._c

    # ---- budgets ----

    @_alone
    def init(self, name, epsilon, delta=0, *, relation="add-remove", unit="row", of=None, user=None):
        """A new budget; with `of` a quota of that one. Returns the head of its entry."""
        filter_ = ffi.new("dpn_filter **")
        call(lib.dpn_filter_new_default, filter_, decimal(epsilon), decimal(delta))
        kept = ffi.gc(filter_[0], lib.dpn_filter_free)
        texts = [optional(name), optional(user), optional(of)]
        budget = ffi.new("dpn_ledger_budget *", {
            "name": texts[0], "user": texts[1], "of": texts[2], "plan": lib.dpn_filter_plan_of(kept),
            "relation": choice(_RELATIONS, relation, "relation"), "unit": choice(_UNITS, unit, "unit")})
        head = ffi.new("dpn_head *")
        call(lib.dpn_ledger_add_budget, head, self._open(), budget)
        return head_text(head[0])

    @_alone
    def alias(self, name, of, *, user=None):
        """Another name for the same people."""
        head = ffi.new("dpn_head *")
        call(lib.dpn_ledger_add_alias, head, self._open(), encoded(name), encoded(of), optional(user))
        return head_text(head[0])

    @_alone
    def renew(self, name, note, *, user=None):
        """Begin a new period: a decision of the curator, whose reason is recorded."""
        head = ffi.new("dpn_head *")
        call(lib.dpn_ledger_renew, head, self._open(), encoded(name), optional(user), encoded(note))
        return head_text(head[0])

    @_alone
    def _account(self, find):
        c = ffi.new("dpn_account *")
        find(c)
        try:
            spent, plan = lib.dpn_filter_spent(c.filter), lib.dpn_filter_plan_of(c.filter)
            return Account(text_of(c.name), text_of(c.of), decimal_text(plan.epsilon), decimal_text(plan.delta),
                           text_of(lib.dpn_relation_name(c.relation)), text_of(lib.dpn_unit_name(c.unit)),
                           spent.epsilon, decimal_text(spent.delta), decimal_text(spent.aside),
                           decimal_text(lib.dpn_filter_largest_pure(c.filter)), spent.charges, c.periods, c.version)
        finally:
            lib.dpn_account_free(c)

    def __getitem__(self, name):
        ledger = self._open()
        try:
            return self._account(lambda c: call(lib.dpn_ledger_account, c, ledger, encoded(name)))
        except DomainError as error:
            raise KeyError(str(error)) from None

    def __iter__(self):
        """The accounts, in the order of their names."""
        with self._lock:
            return iter(list(self._accounts()))

    def _accounts(self):
        count, head = ffi.new("size_t *"), ffi.new("dpn_head *")
        call(lib.dpn_ledger_count, count, head, self._open())
        for i in range(count[0]):
            yield self._account(lambda c: call(lib.dpn_ledger_account_at, c, self._open(), i))

    def __contains__(self, name):
        try:
            self[name]
        except KeyError:
            return False
        return True

    # ---- charges ----

    @_alone
    def charge(self, name, epsilon=None, delta=0, *, plan=None, training=None, note=None, user=None):
        """Charge (epsilon, delta), the noise of a `Plan`, or a training run of an `Accountant`. Returns the head: keep it.

        With a plan, epsilon and delta may say what it was calibrated to, where that is known.

        `BudgetError`: it does not fit, and nothing was charged.
        """
        if (epsilon is not None or plan is not None) + (training is not None) != 1:
            raise TypeError("a charge is an epsilon (and delta), a plan, or a training run")
        account = ffi.new("dpn_account *")
        call(lib.dpn_ledger_account, account, self._open(), encoded(name))
        try:
            charge = ffi.new("dpn_charge *")
            if epsilon is not None and plan is None:
                charge[0] = lib.dpn_charge_pure(account.filter, decimal(epsilon), decimal(delta))
            elif plan is not None:
                of = ffi.new("dpn_sensitivity *")
                call(lib.dpn_plan_sensitivity, of, plan._c)
                asked = (decimal(epsilon), decimal(delta)) if epsilon is not None else (ffi.NULL, ffi.NULL)
                call(lib.dpn_plan_charge_best, charge, plan._c, of, plan._c.times, account.filter, *asked)
            else:
                steps, _keep = training._steps()
                given = decimal(delta)
                call(lib.dpn_charge_sampling, charge, account.filter, steps, len(training._laws), given, workspace())
            texts = [optional(name), optional(note), optional(user), optional(written(lib.dpn_plan_write, plan._c) if plan is not None else None)]
            # A training run and an amount are about the unit that the budget protects; a plan says its own.
            whole = ffi.new("dpn_ledger_charge *", {
                "name": texts[0], "note": texts[1], "user": texts[2], "plan": texts[3], "charge": charge[0],
                "relation": plan._c.relation if plan is not None else
                lib.DPN_ADD_REMOVE if training is not None else account.relation,
                "unit": plan._c.unit if plan is not None else account.unit})
            receipt = ffi.new("dpn_receipt *")
            call(lib.dpn_ledger_spend, receipt, self._open(), whole)
            return head_text(receipt.head)
        finally:
            lib.dpn_account_free(account)

    # ---- what was recorded ----

    @_alone
    def history(self):
        """All entries, from the first on."""
        return list(self._entries())

    def _entries(self):
        count, head = ffi.new("size_t *"), ffi.new("dpn_head *")
        call(lib.dpn_ledger_count, count, head, self._open())
        for number in range(1, head.number + 1):
            c = ffi.new("dpn_entry *")
            call(lib.dpn_ledger_entry, c, self._open(), number)
            try:
                pays = c.kind == lib.DPN_ENTRY_CHARGE
                yield Entry(head_text(c.head), text_of(lib.dpn_entry_kind_name(c.kind)), text_of(c.time),
                            text_of(c.name) or "", text_of(c.user) or "", text_of(c.note) or "",
                            decimal_text(c.charge.epsilon) if pays and c.charge.pure else "",
                            decimal_text(c.charge.delta) if pays else "", text_of(c.text))
            finally:
                lib.dpn_entry_free(c)

    @_alone
    def verify(self, *heads):
        """Verify everything again, and that these heads are in the chain. Returns the last head."""
        c = ffi.new("dpn_head[]", len(heads))
        for i, head in enumerate(heads):
            call(lib.dpn_head_parse, c + i, encoded(head))
        last = ffi.new("dpn_head *")
        call(lib.dpn_ledger_verify, last, self._open(), c, len(heads))
        return head_text(last[0])

    @_alone
    def export(self):
        """One line of JSON for each entry and stored answer."""
        return written(lib.dpn_ledger_export, self._open())

    @_alone
    def registration(self, name):
        """What is registered of a data set, as a dict; None if nothing is."""
        text, length = ffi.new("char **"), ffi.new("size_t *")
        call(lib.dpn_ledger_find_registration, text, length, ffi.NULL, ffi.NULL, self._open(), encoded(name))
        if text[0] == ffi.NULL:
            return None
        try:
            return json.loads(ffi.buffer(text[0], length[0])[:].decode())
        finally:
            lib.free(text[0])

    def _repr_html_(self):
        rows = []
        for account in self:
            share = 1 - float(account.left_pure) / float(account.epsilon) if float(account.epsilon) else 1.0
            rows.append((html.escape(account.name), account.epsilon, account.delta, account.left_pure, account.charges, bar(share)))
        return table(("budget", "epsilon", "delta", "left for a pure charge", "charges", "spent"), rows)

    def __repr__(self):
        return f"<Ledger {self.path!r}{'' if self._c else ', closed'}>"


def _reopened(path, key):
    return Ledger(path, key=key)
