"""Writes a first adapter of an installed package: library.toml, lock and adapter.py, tried before they are there."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import jinja2

from recsys_metric_audit.audit.authoring.adapter_trial import Trial, try_functions, with_fitting_contracts
from recsys_metric_audit.audit.authoring.generated_calls import (
    FORMS,
    RATINGS,
    GeneratedCall,
    InstalledPackage,
    MissingModuleError,
    ToldCall,
    functions_of_calls,
    generated_calls,
    installed_package,
    package_of_calls,
    told_calls,
)
from recsys_metric_audit.audit.authoring.trial_text import answering, not_built, refusal
from recsys_metric_audit.audit.environments import environment, package_index
from recsys_metric_audit.audit.environments.locking import write_lock
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries import manifest as manifests
from recsys_metric_audit.audit.libraries.discovery import refuse_installed
from recsys_metric_audit.audit.libraries.function import Takes
from recsys_metric_audit.audit.libraries.manifest import Manifest

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PACKAGE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
_TORCH = re.compile(r"torch(?![\w.-])")
_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
)  # fmt: skip


@dataclass(frozen=True)
class NewLibrary:
    """Holds what is asked for: the folder's name and place, the package, its version (None: the newest), and the form.

    ``builds`` is why code of its authors may run when it is locked and installed; without it, wheels only. ``calls``
    tell how metrics are called (:func:`audit.authoring.generated_calls.told_calls`); without any, functions are looked
    for. ``force`` replaces a library that is there.
    """

    name: str
    package: str
    like: str
    folder: Path
    python: str = "3.11"
    version: str | None = None
    requires: tuple[str, ...] = ()
    builds: str | None = None
    calls: tuple[str, ...] = ()
    force: bool = False

    @property
    def needs_torch(self) -> bool:
        """Tell whether it needs torch by name."""
        return any(_TORCH.match(each) for each in (*FORMS[self.like].requires, *self.requires))


@dataclass(frozen=True, eq=False)
class Written:
    """Holds the library that was written, and the trial of its functions."""

    manifest: Manifest
    trial: Trial


_DISTRIBUTIONS = {
    "joblib": "joblib", "numpy": "numpy", "pandas": "pandas", "polars": "polars", "pyarrow": "pyarrow",
    "scipy": "scipy", "sklearn": "scikit-learn", "tensorflow": "tensorflow", "torch": "torch", "tqdm": "tqdm",
    "yaml": "pyyaml",
}  # fmt: skip
"""What is added unasked where a package imports it, by module; of others a name may be somebody else's distribution."""


def write_new_adapter(wanted: NewLibrary, seconds: float, progress: Callable[[str], None]) -> Written:
    """Write the folder of a library, as :func:`_write`, with what its package imports and does not ask for.

    Raises:
        UserError: as :func:`_write`.
    """
    try:
        return _write(wanted, seconds, progress)
    except MissingModuleError as error:
        added = _DISTRIBUTIONS.get(error.module)
        if added is None or added in wanted.requires:
            raise
        progress(f"{error.message}: {added} is added")
        return write_new_adapter(replace(wanted, requires=(*wanted.requires, added)), seconds, progress)


def _write(wanted: NewLibrary, seconds: float, progress: Callable[[str], None]) -> Written:
    """Write the folder of a library: library.toml, lock and adapter.py, with the functions that are found in it.

    All is made and tried in a hidden folder beside it and moved there at the end: nothing is left of a failure, not
    even the folder of adapters if that was missing.

    Args:
        wanted: what is asked for.
        seconds: the time limit of one call.
        progress: hears each step, in words.

    Raises:
        UserError: for a name that cannot be used, a package that cannot be found, locked or installed, and one
            without a function named after a metric.
    """
    target, told = _checked(wanted), told_calls(wanted.calls, wanted.like)
    with _made(wanted.folder), tempfile.TemporaryDirectory(prefix=".new-", dir=wanted.folder) as parent:
        folder = Path(parent) / wanted.name
        folder.mkdir()
        version = wanted.version or _newest(wanted, folder)
        progress(f"locking {wanted.package} {version}")
        manifest = _write_manifest(wanted, folder, version, ())
        lock = _lock(manifest)
        if not wanted.needs_torch and re.search(r"^torch==", lock.read_text(encoding="utf-8"), re.MULTILINE):
            wanted = replace(wanted, requires=(*wanted.requires, "torch"))  # its CPU build, a tenth of the other
            manifest = _write_manifest(wanted, folder, version, ())
            _lock(manifest)
        try:
            built = environment.ensure(manifest, manifest.versions[0], progress=progress)
        except environment.BuildFailed as error:
            raise not_built(f"{wanted.package} {version}", error) from error
        package, calls = _calls(wanted, told, built.python, folder, progress)
        manifest = _write_manifest(wanted, folder, version, calls, package)
        progress(f"trying {len(calls)} function{'s' if len(calls) > 1 else ''}")
        with answering(manifest, manifest.versions[0], seconds, progress) as responder:
            trial = with_fitting_contracts(try_functions(manifest.functions, responder), wanted.like, responder)
        takes = {each.function.name: each.function.takes for each in trial.functions}
        silent = {} if told else _silent(trial)
        if silent:
            calls = tuple(each for each in calls if each.path not in silent)
            _write_adapter(wanted, folder, [each.path.rpartition(".")[0] for each in calls], calls)
        _write_manifest(wanted, folder, version, calls, package, takes, silent)
        if target.exists():
            target.rename(Path(parent) / "replaced")
        folder.rename(target)
    return Written(manifests.load(target), trial)


def _checked(wanted: NewLibrary) -> Path:
    """Return the folder to be written; refuse what cannot be."""
    if not _NAME.fullmatch(wanted.name):
        raise UserError(
            f"{wanted.name!r} cannot name a library",
            "small letters, digits and underscores, a letter first: my_library",
        )
    if not _PACKAGE.fullmatch(wanted.package):
        raise UserError(
            f"--package {wanted.package!r} is no name of a package", "its name alone; --version takes a number"
        )
    if not (wanted.folder if wanted.folder.exists() else wanted.folder.absolute().parent).is_dir():
        raise UserError(f"{wanted.folder}: no folder of adapters can be there", "name another with --to DIR")
    refuse_installed(wanted.folder)
    target = wanted.folder / wanted.name
    if target.exists() and not wanted.force:
        raise UserError(f"{target} is there already", "choose another name, or replace it with --force")
    return target


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Make a folder that is missing, for as long as something is put into it."""
    if folder.exists():
        yield
        return
    folder.mkdir()
    try:
        yield
    except BaseException:
        with suppress(OSError):  # what others have put there stays
            folder.rmdir()
        raise


def _lock(manifest: Manifest) -> Path:
    try:
        return write_lock(manifest, manifest.versions[0])
    except UserError as error:
        hint = error.hint.replace(f'`builds = "why"` in {manifest.folder / manifests.FILE}', "--builds 'why'")
        hint = "say what fits with --requires" if str(manifest.folder) in hint else hint
        if "is not the CPU build" in error.message:
            hint = "name a release of torch that has a build for CPUs, as --requires torch==2.13.0"
        raise UserError(error.message, hint) from error


def _newest(wanted: NewLibrary, folder: Path) -> str:
    releases = package_index.on_index(_write_manifest(wanted, folder, "0", ()), wanted.python)
    if not releases:
        raise UserError(f"{wanted.package} has no release for Python {wanted.python}", "try another with --python")
    return releases[-1]


def _silent(trial: Trial) -> dict[str, str]:
    """Return why functions gave no number, by path; none if no function gave one, which is the adapter's fault."""
    found = {
        each.function.name: refusal(next(iter(each.outcomes.values()))) for each in trial.functions if not each.measured
    }
    return found if len(found) < len(trial.functions) else {}


def _left_out(package: InstalledPackage) -> dict[str, str]:
    ratings = {
        each.path: "takes pairs of a true and a predicted rating, which the adapter does not pass yet"
        for each in package.functions
        if each.metric in RATINGS
    }
    broken = {path: f"cannot be imported: {' '.join(why.split())[:200]}" for path, why in package.broken.items()}
    return ratings | broken


def _calls(
    wanted: NewLibrary, told: Sequence[ToldCall], python: Path, folder: Path, progress: Callable[[str], None]
) -> tuple[InstalledPackage, tuple[GeneratedCall, ...]]:
    """Write the adapter of what was told, or else found; return what the package says, and the adapter's functions."""
    if told:
        names = dict.fromkeys(name for each in told for name in each.chains)
        package, modules = package_of_calls(python, wanted.package, list(names))
        calls = functions_of_calls(told)
    else:
        progress("looking for functions named after a metric")
        package = installed_package(python, wanted.package)
        asked = tuple(each for each in package.functions if each.metric not in RATINGS)
        modules = tuple(each.path.rpartition(".")[0] for each in asked)
        calls = generated_calls(asked, wanted.like)
    _write_adapter(wanted, folder, modules, calls)
    return package, calls


def _write_adapter(wanted: NewLibrary, folder: Path, modules: Sequence[str], calls: Sequence[GeneratedCall]) -> None:
    text = adapter_text(wanted.package, wanted.like, tuple(dict.fromkeys(modules)), calls)
    (folder / "adapter.py").write_text(text, encoding="utf-8")


def adapter_text(package: str, like: str, modules: Sequence[str], calls: Sequence[GeneratedCall]) -> str:
    """Return the adapter of a package whose functions all have the form ``like``.

    Args:
        package: The package's name.
        like: The form.
        modules: What is imported of the package.
        calls: The functions.
    """
    template = _TEMPLATES.get_template(f"{like}.py.txt")
    of_users = any(each.call.startswith("of_users(") for each in calls)
    text = template.render(
        package=package, modules=modules, functions=calls, checks=FORMS[like].checks, of_users=of_users
    )
    return re.sub(r"\n{4,}", "\n\n\n", text).rstrip() + "\n"  # at most two empty lines in a row, one end of line


def _write_manifest(
    wanted: NewLibrary,
    folder: Path,
    version: str,
    calls: tuple[GeneratedCall, ...],
    package: InstalledPackage | None = None,
    takes: Mapping[str, Takes] | None = None,
    silent: Mapping[str, str] | None = None,
) -> Manifest:
    form = FORMS[wanted.like]
    requires = dict.fromkeys((*form.requires, *wanted.requires))
    usual = Takes.model_validate(form.takes)
    own = {path: each for path, each in (takes or {}).items() if each != usual}
    tried = {path: f"gave no number when it was tried: {why}" for path, why in (silent or {}).items()}
    left_out = (_left_out(package) if package else {}) | tried
    about = package.summary if package and package.summary else f"Metrics of the package {wanted.package}."
    text = _TEMPLATES.get_template("library.toml.txt").render(
        name=wanted.name, package=json.dumps(wanted.package), version=version, python=wanted.python, functions=calls,
        about=json.dumps(about, ensure_ascii=False), homepage=package.homepage if package else "",
        requires=json.dumps(list(requires)), builds=json.dumps(wanted.builds or "", ensure_ascii=False),
        torch=wanted.needs_torch, takes=_table(usual),
        own={path: _table(each) for path, each in own.items()}, called_with=form.called_with,
        decides=json.dumps(list(form.decides)),
        out_of_scope={path: json.dumps(why, ensure_ascii=False) for path, why in left_out.items()},
    )  # fmt: skip
    (folder / manifests.FILE).write_text(text, encoding="utf-8")
    return manifests.load(folder)


def _table(takes: Takes) -> str:
    """Return a contract as TOML writes it in one line; what is usual is left out, but for the input."""
    said = {key: word for key, word in takes.model_dump().items() if key == "input" or word != getattr(Takes(), key)}
    return "{ " + ", ".join(f'{key} = "{word}"' for key, word in said.items()) + " }"
