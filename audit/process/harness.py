"""The auditor's side inside a library's environment: ``PYTHON audit/process/harness.py CONTROL_DIR [stay]``.

Reads ``request.json``, loads the adapter by its path, asks every function and writes ``response.jsonl``, one
flushed line an answer; what each file holds is written in ``adapters/README.md``. With ``stay`` it then waits for the
next control directory, one a line of its standard input, and ends with that. Standard library and numpy only,
Python 3.6 syntax: it must start in the oldest environment and change nothing of what it measures.
"""

import os
import sys

if __name__ == "__main__":  # before any other import: a file beside this one must never shadow a library
    # The folder may be reached by a link, and Python puts its real place on the path.
    _HERE = os.path.dirname(os.path.realpath(__file__))
    sys.path[:] = [_folder for _folder in sys.path if os.path.realpath(_folder) != _HERE]

import copy
import faulthandler
import glob
import importlib
import importlib.machinery
import importlib.util
import json
import numbers
import platform
import signal
import time
import traceback
import types

import numpy as np

PROTOCOL = 1
MAPPED = 1 << 24  # bytes of a file from which it is mapped
LONG = 64  # per-user arrays up to this length travel inside the line
MESSAGE, TRACEBACK = 2000, 10000  # characters kept
HEAD = 2000  # characters of a distribution's metadata that hold its name and its version
COARSEST_FIRST = ("float16", "bfloat16", "float32", "float64", "float")


class NotOffered(Exception):  # noqa: N818 (an answer, not an error)
    """An adapter raises it, with the library's own words, where the library says that it does not offer this."""


class Unaskable(Exception):  # noqa: N818 (an answer, not an error)
    """An adapter raises it, in its own words, for a case that it cannot pass on to its library."""


class BadAnswer(Exception):  # noqa: N818 (the name that the auditor reads)
    """The adapter returned what is neither a number nor (mean, users, values)."""


# ---- what a library returned, as numbers ---------------------------------------------------------------


def describe(value):
    """Name a value that is no answer, in a few words."""
    shape = getattr(value, "shape", None)
    name = type(value).__name__
    if value is None:
        return "None"
    return "%s of shape %s" % (name, tuple(shape)) if shape else "%s %.80r" % (name, value)


def type_name(value):
    """Name the type as returned: ``float``, ``int``, ``Decimal``, ``float32``, ..."""
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        return type(value).__name__
    return (getattr(dtype, "name", None) or str(dtype).split(".")[-1]).lower()


def number(value):
    """Return a number of whatever type as a float; a zero-dimensional array is one."""
    is_number = isinstance(value, numbers.Number) and not isinstance(value, complex)
    if not is_number:
        if value is None or isinstance(value, (str, bytes)):
            raise BadAnswer("no number: " + describe(value))
        array = np.asarray(value)
        if array.ndim != 0 or array.dtype.kind not in "fiub":
            raise BadAnswer("no number: " + describe(value))
    return float(value)


def flat(values, what):
    """Return any sequence, view, Series or array as a one-dimensional array."""
    if values is None or isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise BadAnswer("%s are no sequence: %s" % (what, describe(values)))
    try:
        array = np.asarray(values if hasattr(values, "__array__") else list(values))
    except ValueError as error:
        raise BadAnswer("%s are no flat sequence: %s" % (what, error)) from None
    if array.ndim != 1:
        raise BadAnswer("%s have the shape %s instead of one dimension" % (what, array.shape))
    return array


def user_ids(users):
    """Return the users as int64; digits in a string and whole floats are taken as what they stand for."""
    array = flat(users, "users")
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    try:
        ids = [int(user) for user in array.tolist()]
    except (TypeError, ValueError, OverflowError) as error:
        raise BadAnswer("users are no integer ids: %s" % error) from None
    for user, number_of in zip(array.tolist(), ids):  # noqa: B905 (strict= is younger than Python 3.6)
        if isinstance(user, bool) or (not isinstance(user, (str, bytes)) and user != number_of):
            raise BadAnswer("users are no integer ids: %r" % (user,))
    return np.array(ids, dtype=np.int64)


def user_values(values):
    """Return the per-user values as float64, and the name of their type as returned."""
    if values is not None and not hasattr(values, "__array__") and hasattr(values, "__iter__"):
        values = list(values) if not isinstance(values, (str, bytes)) else values
    array = flat(values, "values")
    dtype = type_name(values) if hasattr(values, "dtype") else type_name(array)
    if isinstance(values, list) or array.dtype.kind == "O":
        dtype = common_type(values, dtype)
    if array.dtype.kind == "O":
        return np.array([number(value) for value in array], dtype=np.float64), dtype
    if array.dtype.kind not in "fiub":
        raise BadAnswer("values are no numbers but %s" % array.dtype)
    return array.astype(np.float64), dtype


def common_type(values, otherwise):
    """Name the type of a list's elements: where several floating types mix, the coarsest one."""
    names = {type_name(value) for value in values}
    for name in COARSEST_FIRST:
        if name in names:
            return name
    return min(names) if names else otherwise


def normalise(answer):
    """Return an adapter's answer as (mean, users, values, dtype)."""
    if not isinstance(answer, tuple):
        return number(answer), None, None, type_name(answer)
    if len(answer) != 3:
        raise BadAnswer("a tuple of %d instead of (mean, users, values)" % len(answer))
    mean = None if answer[0] is None else number(answer[0])
    users, (values, dtype) = user_ids(answer[1]), user_values(answer[2])
    if len(users) != len(values):
        raise BadAnswer("%d users but %d values" % (len(users), len(values)))
    return mean, users, values, dtype


# ---- a case, as adapters get it ---------------------------------------------------------------------------


class Table(types.SimpleNamespace):
    """Rows of a case as columns of one length: ``user``, ``item`` and ``score`` or ``gain``."""

    def named(self, *names):
        """Return the columns in their order by names of the library's own, as a frame is made of them."""
        return dict(zip(names, vars(self).values()))  # noqa: B905 (strict= is younger than Python 3.6)

    @property
    def users(self):
        """The ids of the users, each once, ascending."""
        return np.unique(self.user).tolist()

    def by_user(self, *columns, users=None):
        """Return each user's entries of a column, in the order of the rows; of several columns, a tuple of theirs.

        The users are ``users``, some without entries, or else those of the table, in the order of their first rows.
        """
        order = np.argsort(self.user, kind="mergesort")  # which keeps the rows of a user in their order
        found, start = np.unique(self.user[order], return_index=True)
        rows = dict(zip(found.tolist(), np.split(order, start[1:])))  # noqa: B905
        if users is None:
            users = sorted(rows, key=lambda user: rows[user][0])
        made = {}
        for user in users:
            own = tuple(getattr(self, name)[rows.get(user, order[:0])] for name in columns)
            made[user] = own if len(columns) > 1 else own[0]
        return made

    def coordinates(self, column=None):
        """Return (values, (users, items)), as sparse matrices are made of them; without a column, ones."""
        values = np.ones(len(self.user)) if column is None else getattr(self, column)
        return values, (self.user, self.item)


class Case(types.SimpleNamespace):
    """What ``prepare`` is given: the tables ``recommended``, ``relevant`` and ``train``, and what else is known."""

    @property
    def shape(self):
        """The shape of a matrix with a row for every user id and a column for every item id."""
        return self.users.max(initial=-1) + 1, self.catalogue.max(initial=-1) + 1

    def score_matrix(self, dtype=np.float64):
        """Return the scores by user and item id, ``-inf`` where there is none."""
        scores = np.full(self.shape, -np.inf, dtype=dtype)
        scores[self.recommended.user, self.recommended.item] = self.recommended.score
        return scores


def read_case(folder):
    """Return what is said about a case, and its columns by name: short ones are numbers of the same file."""
    with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
        about = json.load(file)
    if about["columns"] is None:
        names = [name for name in os.listdir(folder) if name.endswith(".npy")]
        return about, {name[:-4]: read_column(os.path.join(folder, name)) for name in names}
    of_floats = ("score", "gain")
    return about, {
        name: np.array(values, dtype=np.float64 if name.endswith(of_floats) else np.int64)
        for name, values in about["columns"].items()
    }


def read_column(path):
    """Read one column; a large one is mapped into memory, where what is written to it stays out of its file."""
    large = os.path.getsize(path) > MAPPED
    return np.asarray(np.load(path, mmap_mode="c" if large else None, allow_pickle=False))


def without_runs(column):
    """Return a column without entries that are equal to the one before: few of millions of rows grouped by user."""
    return column[np.append(True, column[1:] != column[:-1])[: len(column)]]


def make_case(about, columns):
    """Return the object that ``prepare`` is given."""
    tables = {}
    for table, names in (("recommended", "user item score"), ("relevant", "user item gain"), ("train", "user item")):
        tables[table] = Table(**{name: columns[table + "_" + name] for name in names.split()})
    return Case(
        name=about["name"],
        threshold=float(about["threshold"]),
        scale=tuple(float(end) for end in about["scale"]),
        catalogue=columns["catalogue"],
        users=np.unique(np.concatenate([without_runs(table.user) for table in tables.values()])),
        **tables,
    )


# ---- the library and its adapter --------------------------------------------------------------------------


class Stub(types.ModuleType):
    """An empty module for an import that the metric code never uses; whatever is taken from it refuses to work."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)

        def refuse(this, *arguments, **options):
            raise ImportError("%s.%s is a stub of the audit, and was used" % (self.__name__, name))

        return type(name, (), {"__init__": refuse, "__module__": self.__name__})


def add_stub(name):
    """Put a stub in the place of a module that is not installed, and of the packages it is in."""
    if name in sys.modules:
        return
    parent, _, own = name.rpartition(".")
    top = name.split(".")[0]
    if parent and not isinstance(sys.modules.get(top), Stub) and importlib.util.find_spec(top) is not None:
        add_leaf(name)
        return
    if parent:
        add_stub(parent)
    if importlib.util.find_spec(name) is not None:
        raise ImportError("%s is installed: a stub would hide it" % name)
    sys.modules[name] = Stub(name)
    if parent:
        setattr(sys.modules[parent], own, sys.modules[name])


def add_leaf(name):
    """Stub one module of a package that is there, which may not be importable without it; a real one stays."""
    top, *rest = name.split(".")
    for folder in importlib.util.find_spec(top).submodule_search_locations or ():
        leaf = os.path.join(folder, *rest)
        if os.path.isdir(leaf) or glob.glob(glob.escape(leaf) + ".*[oy]") or glob.glob(glob.escape(leaf) + ".pyd"):
            return
    sys.modules[name] = Stub(name)


class AdapterLoader(importlib.machinery.SourceFileLoader):
    """Loads an adapter from its path and leaves no bytecode beside it."""

    def set_data(self, path, data, **options):
        """Write nothing."""


def load_adapter(path):
    """Import ``adapter.py`` by path: its folder is never searched, so it cannot shadow the library."""
    spec = importlib.util.spec_from_loader("audit_adapter", AdapterLoader("audit_adapter", path))
    module = importlib.util.module_from_spec(spec)
    sys.modules["audit_adapter"] = module
    spec.loader.exec_module(module)
    return module


def absent(function):
    """Say in the interpreter's words why a function's dotted path does not exist; ``None`` where it does.

    Only the missing module or attribute itself counts: a library that is not there at all, or that breaks
    while it is imported, raises.
    """
    parts = function.split("[")[0].split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        try:
            found = importlib.import_module(name)
            break
        except ModuleNotFoundError as error:
            if length == 1 or not (name + ".").startswith((error.name or "?") + "."):
                raise
    try:
        for part in parts[length:]:
            found = getattr(found, part)
    except AttributeError as error:
        return "AttributeError: %s" % error
    return None


class Library:
    """An adapter with what it has prepared, once per case; each call of a fresh ask has a copy of its own."""

    def __init__(self, control, adapter, asks):
        self.control, self.adapter = control, adapter
        self.last_use = {ask["case"]: n for n, ask in enumerate(asks) if not ask["fresh"]}
        self.shared, self.missing = {}, {}
        self.read, self.written, self.pristine = None, None, None

    def prepare(self, case, fresh):
        """Return ``prepare(case)``; a fresh one is the caller's own, so that no call sees what another changed."""
        folder = os.path.join(self.control, "cases", case)
        if not fresh:
            if case not in self.shared:
                self.shared[case] = self.adapter.prepare(make_case(*read_case(folder)))
            return self.shared[case]
        if self.read != case:
            self.read, self.written = None, read_case(folder)
            self.pristine = self.prepared()
            self.read = case
        try:
            return copy.deepcopy(self.pristine)
        except Exception:  # what cannot be copied (a handle, a session) is made anew
            return self.prepared()

    def prepared(self):
        """Return what the adapter makes of copies of the columns that were read."""
        about, columns = self.written
        return self.adapter.prepare(make_case(about, {name: column.copy() for name, column in columns.items()}))

    def forget(self, number, case):
        """Drop what no later ask needs."""
        if self.last_use.get(case) == number:
            self.shared.pop(case, None)

    def function(self, name):
        """Return the adapter's function; raise ``NotOffered`` where the library has no such path."""
        if name not in self.missing:
            self.missing[name] = absent(name)
        if self.missing[name]:
            raise NotOffered(self.missing[name])
        if name not in self.adapter.FUNCTIONS:
            raise LookupError("the library has %s, but adapter.py names no such function" % name)
        return self.adapter.FUNCTIONS[name]


# ---- the conversation -------------------------------------------------------------------------------------


class Responses:
    """``response.jsonl``, and the arrays that are too long for it."""

    def __init__(self, control):
        self.control, self.pid, self.lines = control, os.getpid(), 0
        self.file = open(os.path.join(control, "response.jsonl"), "w", encoding="utf-8")
        os.makedirs(os.path.join(control, "values"), exist_ok=True)

    def write(self, line):
        """Write one line and flush it."""
        if os.getpid() != self.pid:
            os._exit(70)  # a fork that the library made ran on into here: one conversation has one speaker
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()
        self.lines += 1

    def column(self, array, name, to_json):
        """Return an array as the line holds it: its elements, or the file that they are in."""
        if array is None or len(array) <= LONG:
            return None if array is None else [to_json(value) for value in array.tolist()]
        path = "values/%d-%s.npy" % (self.lines, name)
        np.save(os.path.join(self.control, path), array, allow_pickle=False)
        return path


def failure(error):
    """Return what an exception says, as the keys of an error line."""
    try:
        message = str(error)
    except Exception as second:
        message = "its message cannot be printed: %s" % type(second).__name__
    trace = (
        ""
        if isinstance(error, BadAnswer)
        else "".join(traceback.format_exception(type(error), error, error.__traceback__))
    )
    return {"error": type(error).__name__, "message": message[:MESSAGE], "traceback": trace[-TRACEBACK:]}


def call(library, responses, ask, function, k):
    """Ask one function at one cut-off, as often as the ask says, on the same prepared data."""
    prepared = None
    for repetition in range(ask["repeat"]):
        line = {"ask": ask["id"], "function": function, "k": k, "repetition": repetition}
        try:
            ask_function = library.function(function)
            if repetition == 0 or prepared is None:
                prepared = (library.prepare(ask["case"], ask["fresh"]),)
            start = time.perf_counter()
            answer = ask_function(prepared[0], k)
            line["seconds"] = repr(time.perf_counter() - start)
            mean, users, values, line["dtype"] = normalise(answer)
            if mean is not None and not ask["values"]:
                users = values = None
            line["mean"] = None if mean is None else repr(mean)
            line["users"] = responses.column(users, "users", int)
            line["values"] = responses.column(values, "values", repr)
        except NotOffered as error:
            line["not_offered"] = failure(error)["message"]
        except Unaskable as error:
            line["unaskable"] = failure(error)["message"]
        except BaseException as error:  # SystemExit and KeyboardInterrupt of a library are answers, too
            line.update(failure(error))
        responses.write(line)


def installed():
    """Return the versions of the distributions on the path by name: of two of one name the first, which is imported."""
    found = {}
    for folder in sys.path:
        for entry in names_in(folder):
            if entry.endswith((".dist-info", ".egg-info", "EGG-INFO")):
                name, version = described(os.path.join(folder, entry))
                if name and version:
                    found.setdefault(name, version)
    return found


def names_in(folder):
    """Return the names of what is in a folder, in order; nothing of what is no folder or cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def described(entry):
    """Return the name and the version of a distribution, from the head of its metadata; None for what is not there."""
    for path in (os.path.join(entry, "METADATA"), os.path.join(entry, "PKG-INFO"), entry):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                head = file.read(HEAD).split("\n\n")[0]
        except OSError:
            continue
        values = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
        return values.get("Name"), values.get("Version")
    return None, None


def orders():
    """Return where the next control directories are named; the library's own standard input is empty."""
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return lines


def redirect(control):
    """Send what the library prints, from whatever language, to the logs; append, so that they can be cut."""
    sys.stdout.flush()
    for descriptor, name in ((1, "stdout.log"), (2, "stderr.log")):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        log = os.open(os.path.join(control, name), flags, 0o644)
        os.dup2(log, descriptor)
        os.close(log)
    if sys.version_info < (3, 9):  # buffers stderr in blocks, which are lost when the process dies
        sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    faulthandler.enable(2)


def start(request):
    """Load the adapter; return it, or ``None`` where it cannot be had, and what to say first."""
    hello = {"protocol": PROTOCOL, "python": platform.python_version(), "platform": platform.platform()}
    hello.update(installed=installed(), functions=[])
    adapter = None
    try:
        if request["protocol"] != PROTOCOL:
            raise ValueError("request of protocol %s, harness of protocol %s" % (request["protocol"], PROTOCOL))
        if request.get("source"):  # as for a script in the checkout's root, which leaves nothing behind in it
            sys.path.insert(0, request["source"])
            sys.dont_write_bytecode = True
        for name in sorted(request.get("stubs", ())):
            add_stub(name)
        adapter = load_adapter(request["adapter"])
        hello["functions"] = [str(name) for name in adapter.FUNCTIONS]
    except BaseException as error:
        adapter = None
        hello.update(failure(error))
    return adapter, hello


def enter(control):
    """Make a control directory the one that is answered; return what it asks."""
    redirect(control)
    os.chdir(control)
    with open("request.json", encoding="utf-8") as file:
        return json.load(file)


def main(control, stay):
    """Answer everything that ``CONTROL_DIR/request.json`` asks, then every control directory that is named next."""
    following = orders() if stay else ()
    del sys.argv[1:]  # some libraries read the command line as their own
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends a run by hand; it is no answer of the library
    sys.modules["audit_harness"] = sys.modules[__name__]
    control = os.path.abspath(control)
    request = enter(control)
    adapter, hello = start(request)
    answer(control, request, adapter, hello)
    for line in following if adapter is not None else ():
        control = line.rstrip("\n")
        answer(control, enter(control), adapter, hello)


def answer(control, request, adapter, hello):
    """Say hello, and what comes of every ask."""
    responses = Responses(control)
    responses.write({"hello": hello})
    if adapter is None:
        return
    library = Library(control, adapter, request["asks"])
    for n, ask in enumerate(request["asks"]):
        for function in ask["functions"]:
            for k in ask["ks"]:
                call(library, responses, ask, function, k)
        library.forget(n, ask["case"])
    sys.stdout.flush()  # what the library printed belongs to this conversation


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] == ["stay"])
