"""A library as its ``library.toml`` describes it; reading it needs no environment.

The keys are described in ``adapters/README.md``. An unknown key or a value of the wrong kind is a :class:`UserError`
that names the file, the table and the key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.function import Function, Made, Part, Takes, Text, covers
from recsys_metric_audit.audit.libraries.library_file import (
    ClaimBlock,
    FunctionBlock,
    Group,
    Shared,
    complaints,
    with_inherited,
)
from recsys_metric_audit.reports.model.regular_file import read_regular_text
from recsys_metric_audit.reports.wording.library_groups import LIBRARY_GROUPS

FILE = "library.toml"

VersionName = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z][0-9A-Za-z.+!_-]*$")]
ModuleName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$")]


class Source(Part):
    """The library's origin: its distribution's name in the package index, its repository, or both."""

    package: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$")] | None = None
    repository: Annotated[str, StringConstraints(pattern=r"^https://\S+$")] | None = None


class Commit(Part):
    """The commit of a repository that a version is: ``commit`` in full.

    ``files`` are patterns of the files that carry the metrics, and ``digest`` is the digest of their content
    (:func:`audit.sources.checkout.digest`): it identifies an exported tree, and a checkout that hides a change.
    """

    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
    files: Annotated[tuple[Text, ...], Field(min_length=1)]
    digest: Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]


class Version(Part):
    """One pinned version and the environment it is audited in.

    Attributes:
        python: the interpreter (``3.11``).
        requires: requirements that are locked beside the library.
        no_deps: why the library's declared dependencies are not installed.
        exclude_newer: the day from which uploads to the index are ignored.
        torch: the build of torch in the lock.
        stubs: modules that are replaced by empty ones, each with the reason.
        heavy: why only runs that ask for the version include it.
        usual: whether runs include it that name no version; older versions serve histories and papers.
        timeout: seconds that one ask may take, if more than usual.
        java: the major versions of Java it runs on.
        build_constraints: requirements that a source distribution is built with.
        builds: why what has no wheel is built, which runs code of its authors; without it, only wheels are installed.
        no_build_isolation: why it is built in its own environment, after everything else is installed there.
        adapter: the file that calls it.
        means: the file that calls it on large data, which asks no function for the mean and for each user's value.
        unavailable: why it cannot be installed; such a version has a row in reports and no lock.
        log: the end of the output of the failed installation.
        git: the commit, for a version from the repository.
    """

    version: VersionName
    python: Annotated[str, StringConstraints(pattern=r"^3\.\d+$")]
    requires: tuple[Text, ...] = ()
    no_deps: Text | None = None
    exclude_newer: date | None = None
    torch: Literal["cpu"] | None = None
    stubs: dict[ModuleName, Text] = Field(default_factory=dict)
    heavy: Text | None = None
    usual: bool = True
    timeout: Annotated[float, Field(gt=0)] | None = None
    java: tuple[int, ...] = ()
    build_constraints: tuple[Text, ...] = ()
    builds: Text | None = None
    no_build_isolation: Text | None = None
    adapter: Annotated[str, StringConstraints(pattern=r"^\w+\.py$")] = "adapter.py"
    means: Annotated[str, StringConstraints(pattern=r"^\w+\.py$")] | None = None
    unavailable: Text | None = None
    log: str = ""
    git: Commit | None = None

    @model_validator(mode="after")
    def _a_log_is_of_a_failure(self) -> Self:
        if self.log and self.unavailable is None:
            raise ValueError("log is the end of a failed attempt: say in `unavailable` what failed")
        return self


class _About(Part):
    title: Text
    about: Text
    library_group: str = ""
    homepage: Annotated[str, StringConstraints(pattern=r"^https?://\S+$")]
    source: Source
    versions: Annotated[tuple[Version, ...], Field(alias="version", min_length=1)]
    out_of_scope: dict[Text, Text] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _group_is_in_the_list(self) -> Self:
        if self.library_group and self.library_group not in LIBRARY_GROUPS:
            raise ValueError(f"library_group {self.library_group!r} is none of {', '.join(LIBRARY_GROUPS)}")
        return self


class _LibraryFile(_About):
    """A ``library.toml`` as it is written, its versions with all that they inherit."""

    defaults: Shared = Shared()
    function_blocks: Annotated[tuple[FunctionBlock, ...], Field(alias="function", default=())]
    groups: Annotated[tuple[Group, ...], Field(alias="group", default=())]

    def functions(self) -> tuple[Function, ...]:
        """Return the functions of all blocks; raises ``ValueError`` for one that says too little."""
        blocks: tuple[FunctionBlock | Group, ...] = (*self.function_blocks, *self.groups)
        return tuple(function for block in blocks for function in block.made(self.defaults))


class Manifest(_About):
    """Describes one library: its origin, its pinned versions, its functions; ``name`` is the folder's name."""

    folder: Path
    functions: tuple[Function, ...] = ()

    @property
    def name(self) -> str:
        """The folder's name, by which the library is asked for."""
        return self.folder.name

    def adapter_path(self, version: Version) -> Path:
        """Return the file that calls ``version``."""
        return self.folder / version.adapter

    def means_path(self, version: Version) -> Path | None:
        """Return the file that calls ``version`` on large data, None if its adapter does."""
        return None if version.means is None else self.folder / version.means

    def functions_of(self, version: Version) -> tuple[Function, ...]:
        """Return the functions of ``version``, each with the claims of that version."""
        return tuple(found for each in self.functions if (found := each.of(version.version)) is not None)

    def lock_path(self, version: Version) -> Path:
        """Return the path of the exact, hashed requirements of ``version``; the file need not exist."""
        return self.folder / "locks" / f"{version.version}.txt"

    def expected_path(self, version: Version) -> Path:
        """Return the path of the findings last accepted for ``version``; the file need not exist."""
        return self.folder / "expected" / f"{version.version}.json"

    def recording_path(self, version: Version) -> Path:
        """Return the header of the recording of ``version``, a file that need not exist.

        :mod:`audit.responders.recording_file` describes its format.
        """
        return self.folder / "recordings" / f"{version.version}.json"

    def requirement(self, version: Version) -> str | None:
        """Return the library itself as a requirement, or ``None`` for a version from the repository."""
        return None if version.git else f"{self.source.package}=={version.version}"

    def origin(self, version: Version) -> str:
        """Return where ``version`` comes from, in words: package and version, or repository and commit."""
        if version.git is None:
            return f"{self.source.package} {version.version}"
        return f"{self.source.repository} at {version.git.commit}"

    @model_validator(mode="after")
    def _every_version_has_a_source(self) -> Self:
        for version in self.versions:
            wanted = "package" if version.git is None else "repository"
            if getattr(self.source, wanted) is None:
                raise ValueError(f"[source] names no {wanted}, and version {version.version} comes from there")
        return self

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        _refuse_twice("version", [v.version for v in self.versions])
        _refuse_twice("function", [f.name for f in self.functions])
        both = sorted({f.name for f in self.functions} & set(self.out_of_scope))
        if both:
            raise ValueError(f"{both[0]} stands under [[function]] and under [out_of_scope]")
        return self

    @model_validator(mode="after")
    def _every_range_covers_a_version(self) -> Self:
        for function in self.functions:
            for each in (*function.versions, *(name for claim in function.exceptions for name in claim.versions)):
                if not any(covers((each,), version.version) for version in self.versions):
                    raise ValueError(f"[[function]] {function.name}: {each!r} covers no [[version]]")
        return self


def _refuse_twice(table: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"[[{table}]] {name} stands there twice")


def adapter_folders(directory: Path) -> list[Path]:
    """Return the folders in `directory` that hold an adapter, or a part of one; none starts with ``.`` or ``_``."""
    return sorted(
        folder
        for folder in directory.iterdir()
        if folder.name[0] not in "._" and any((folder / name).is_file() for name in (FILE, "adapter.py"))
    )


def load(folder: Path) -> Manifest:
    """Read ``folder/library.toml``.

    Raises :class:`UserError` where the file is missing, no TOML, or does not say what it must.
    """
    path = folder / FILE
    try:
        document = tomllib.loads(read_regular_text(path))
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})", _HINT) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{path}: no valid TOML: {error}", _HINT) from error
    if "folder" in document:
        raise UserError(f"{path}: folder: no such key", _HINT)
    try:
        document = with_inherited(document)
        file = _LibraryFile.model_validate(document)
        said = {key: value for key, value in document.items() if key in _keys_of(_About)}
        return Manifest.model_validate(said | {"folder": folder, "functions": file.functions()})
    except ValidationError as error:
        raise UserError("\n".join(f"{path}: {line}" for line in complaints(error, document, _KEYS)), _HINT) from error
    except ValueError as error:
        raise UserError(f"{path}: {error}", _HINT) from error


def _keys_of(*tables: type[Part]) -> set[str]:
    return {field.alias or name for table in tables for name, field in table.model_fields.items()}


_TABLES = (_LibraryFile, Source, Version, Commit, Group, FunctionBlock, ClaimBlock, Takes, Made)
_KEYS = sorted(_keys_of(*_TABLES) | {"like"})
_HINT = "the keys of library.toml are described in adapters/README.md"
