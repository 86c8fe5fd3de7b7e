"""Calls a function in one shape, and reads the number in what it returns.

A copy of this file runs in the author's interpreter: it uses
the standard library and numpy only, Python 3.6 syntax and nothing of ours, and it computes nothing.
"""

import re
import sys

import numpy as np

_NO_LIST = re.compile("'int'( object)? (is not (iterable|subscriptable)|has no len)")
"""Says that a function goes over what it was given a number for, which may be the cut-off."""
_TEXT = re.compile(r"(?:[A-Za-z][^:=]*[:=])?\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?|nan)\s*$")
"""A text that holds one number, maybe behind its name."""
_WRONG_FORM = (TypeError, AttributeError, KeyError, IndexError)


class Bfloat16(float):
    """Marks a number that was computed in a type of half precision that numpy does not have."""

    dtype = "bfloat16"


def _untorched(tensor):
    """Return a tensor as an array; a number of a type that numpy does not have as one that tells its type."""
    if str(tensor.dtype).endswith("bfloat16"):
        return Bfloat16(tensor.float().item())
    return tensor.numpy()


def _together(*ones):
    """Return one argument of several batches of one user as that of one batch."""
    if all(isinstance(each, list) and len(each) == 1 for each in ones):
        return [each[0] for each in ones]
    if all(isinstance(each, dict) and len(each) == 1 for each in ones):
        return {user: own for each in ones for user, own in each.items()}
    if all(hasattr(each, "shape") and each.shape[:1] == (1,) for each in ones):
        if hasattr(ones[0], "detach"):
            return sys.modules["torch"].cat(ones)
        return np.concatenate(ones)
    raise TypeError("no batch of one user")


class Caller:
    """Calls a function in one shape; where the shape has several forms, in the first that the function takes.

    It is called for the users of the truth, or with `everyone` for those who have rows only, too; in the form of a
    number, in this one alone.
    """

    def __init__(self, shapes, function, shape, parameters, everyone=False, form=None):
        """Hold a function and how it is called; ``shapes`` is the module ``call_shapes``."""
        self.function, self.shape, self.parameters = function, shape, parameters
        self.everyone = everyone
        self.form, self.only = form, form is not None
        self.listed = False  # it takes a list of cut-offs, though the name of the parameter does not say so
        self.users_of, self.by_place = shapes.users_of, shape in shapes.BY_PLACE
        self.one_user = shape in shapes.OF_ONE_USER
        self.forms = (shapes.OF_ONE_USER if self.one_user else shapes.OF_ALL_USERS)[shape]

    def __call__(self, case, k, number):
        """Return the function's value on a case, or (None, users, values); ``number(value)`` raises for no number."""
        if not self.one_user:
            return self._all_users(case, k, number)
        users, values = [], []
        for user in self.users_of(case, self.everyone):
            user.k = k or 0
            value = self._value(self.forms(user), k)
            number(value)
            users.append(user.name)
            values.append(value)
        return values[0] if len(values) == 1 else (None, users, values)

    def changes(self, case, k):
        """Return 1 if the function changes its arguments, else 0."""
        given = self.users_of(case, False)[0] if self.one_user else case
        given.k = k or 0
        form = self.forms(given)[self.form or 0]
        before = repr(form)
        self._passed(form, k)
        return float(repr(form) != before)

    def batch(self, case, k, number):
        """Return what a function gives of all users of a case as one batch: a number, or (None, users, values).

        Raises ``TypeError`` where the arguments of one user are no batch of one.
        """
        users = self.users_of(case, False)
        for user in users:
            user.k = k or 0
        forms = [self.forms(user)[self.form or 0] for user in users]
        value = self._read(self._passed(tuple(map(_together, *forms)), k))
        if not isinstance(value, tuple) and np.size(value) == len(users):
            values = np.ravel(value).tolist()
            return None, [user.name for user in users], [number(each) for each in values]
        return number(value)

    def _all_users(self, case, k, number):
        value = self._value(self.forms(case), k)
        if (
            isinstance(value, dict)
            and value
            and {str(user.name) for user in self.users_of(case, True)} >= {*map(str, value)}
        ):
            for each in value.values():
                number(each)
            return None, [*map(str, value)], list(value.values())
        users = self.users_of(case, True)
        listed = isinstance(value, list) or (hasattr(value, "__array__") and len(users) > 1)
        if listed and np.shape(value) == (len(users),):
            return None, [user.name for user in users], [number(each) for each in list(value)]
        number(value)
        return value

    def _value(self, forms, k):
        """Call the function as it was called before; else with one cut-off, then with a list of one."""
        try:
            return self._called(forms, k)
        except TypeError as error:
            own = self.parameters
            if self.form is not None or own.cutoff is None or own.many or not _NO_LIST.search(str(error)):
                raise
            self.listed = True
            try:
                return self._called(forms, k)
            except Exception:
                self.listed = False
                raise error from None

    def _passed(self, form, k):
        """Call the function with the arguments of a form, and the cut-off as it takes it."""
        return self.parameters.call(self.function, form, [k] if self.listed else k)

    def _called(self, forms, k):
        """Call the function with the form that it took before, else with each until it takes one."""
        chosen = [self.form] if self.form is not None else []
        order = chosen + [number for number in range(len(forms)) if number != self.form and not self.only]
        first = None
        for number in order:
            try:
                value = self._passed(forms[number], k)
            except Exception as error:
                first = first or error
                if self.form is not None and not isinstance(error, _WRONG_FORM):
                    break
                continue
            self.form = number if self.form is None else self.form
            value = self._read(value)
            return self._number_of(value, k) if self.one_user else value
        raise first

    @staticmethod
    def _read(value):
        """Return what a function returned without what boosters and torch put around it."""
        if isinstance(value, tuple) and [type(each) for each in value[::2]] == [str, bool] and len(value) == 3:
            value = value[1]  # (name, value, whether higher is better), as boosters have it
        if isinstance(value, (list, tuple)) and len(value) == 1 and isinstance(value[0], str):
            value = value[0]
        if isinstance(value, str) and _TEXT.match(value):  # "NDCG@5: 0.25"
            value = float(_TEXT.match(value).group(1))
        if isinstance(getattr(value, "score", None), (int, float)):
            value = value.score  # of an object that holds a result
        return _untorched(value.detach().cpu()) if hasattr(value, "detach") else value

    def _number_of(self, value, k):
        """Return the one number of what comes back about one user: of a batch of one, or of the place of the cut-off.

        Of scores of candidates, as many numbers as the cut-off are its values at each cut-off up to it. Of a dict by
        cut-offs it is that at the cut-off.
        """
        if isinstance(value, dict) and k in value:
            value = value[k]
        if not isinstance(value, list) and not hasattr(value, "__array__"):
            return value
        values = np.ravel(np.asarray(value))
        if values.dtype.kind not in "fiub" or np.ndim(value) == 0:
            return value
        of_candidates = self.shape.startswith(("positive-first", "positive-last"))
        if self.by_place or (of_candidates and self.parameters.cutoff is not None and len(values) == k):
            return values[k - 1]
        return values[0] if len(values) == 1 else value


class _Sample:
    """Holds a case of one user, whose one relevant item is listed."""

    class recommended:  # noqa: N801 - as a case has it
        user, item, score = np.array([1, 1]), np.array([10, 11]), np.array([2.0, 1.0])

    class relevant:  # noqa: N801
        user, item, gain = np.array([1]), np.array([10]), np.array([1.0])


def _number_of_forms(shape, shapes):
    """Return in how many forms a shape passes its arguments; 0 where there is one, or all are made by pandas."""
    if "frames" in shape or shape.startswith(("series", "named", "table")):
        return 0
    (user,) = shapes.users_of(_Sample, False)
    of_one = shape in shapes.OF_ONE_USER
    forms = shapes.OF_ONE_USER[shape](user) if of_one else shapes.OF_ALL_USERS[shape](_Sample)
    return len(forms) if len(forms) > 1 else 0


def functions_of(function, file, shape, number, shapes, parameters_of, sources):
    """Return what an adapter offers by name: the function in each shape that it may have; further names tell of it.

    ``shape`` is the only shape, or empty; ``number(value)`` raises for no number. The last three are the modules
    ``call_shapes``, ``call_parameters`` and ``call_sources``.
    """
    parameters = parameters_of.Parameters(function)
    columns = sources.read_source(function, shapes.COLUMNS, shapes.READS, file)
    likely = parameters_of.likely_shapes(parameters)
    named = [shape] if shape else sources.offered(function, parameters, likely, shapes)
    named = named + [each + "-each" for each in ("actual", "recommended") if each + "-users" in named]

    def in_shape(shape, form=None):
        caller, of_all = (Caller(shapes, function, shape, parameters, everyone, form) for everyone in (False, True))
        return {
            "": lambda case, k: caller(case, k, number),
            "[everyone]": lambda case, k: of_all(case, k, number),
            "[changes]": caller.changes,
            "[batch]": lambda case, k: caller.batch(case, k, number),
        }

    def loaded(case, k):
        """Answer nothing but that the function was loaded."""
        return 0.0

    cutoff = "uncut" if parameters.names is not None and parameters.cutoff is None else "cut"
    cutoff = "guessed" if parameters.guessed else cutoff
    said = "%s; columns %s" % (parameters, ", ".join(columns)) if columns else parameters
    forms = [(each, each, None) for each in named]
    for each in named:
        forms += [("%s/%d" % (each, form), each, form) for form in range(_number_of_forms(each, shapes))]
    offered = {
        "audit_adapter.metric[%s]%s" % (name, kind): asked
        for name, each, form in forms
        for kind, asked in in_shape(each, form).items()
    }
    offered["audit_adapter.parameters"] = loaded
    offered["audit_adapter.%s[%s]" % (cutoff, said)] = loaded
    return offered
