"""What ``adapters/<library>/library.toml`` says, read without any environment.

The folder listing is the registry: a folder with a ``library.toml`` is a library. The keys are described in
``adapters/README.md``; a key that is not there, or a value of the wrong kind, is a :class:`UserError` that
names the file and the key.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from audit.errors import UserError
from audit.libraries.complaints import complaints
from audit.libraries.function import Function, Part, Text, covers
from audit.libraries.function_blocks import ClaimBlock, FunctionBlock, Group, Shared
from audit.libraries.inheritance import with_inherited

FILE = "library.toml"

VersionName = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z][0-9A-Za-z.+!_-]*$")]
ModuleName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$")]


class Source(Part):
    """Where the library comes from: its distribution's name in the package index, its repository, or both."""

    package: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$")] | None = None
    repository: Annotated[str, StringConstraints(pattern=r"^https://\S+$")] | None = None


class Commit(Part):
    """The state of a repository that a version is: ``commit`` in full.

    ``files`` are patterns of the files that carry the metrics, and ``digest`` that of their content
    (:func:`audit.sources.checkout.digest`): by it an exported tree is known, and a checkout that hides a change.
    """

    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
    files: Annotated[tuple[Text, ...], Field(min_length=1)]
    digest: Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]


class Version(Part):
    """One pinned version and the environment it is audited in.

    ``python`` is the interpreter (``3.11``), ``requires`` what is compiled beside the library, ``no_deps`` the
    reason why its declared dependencies are not taken, ``exclude_newer`` the day from which uploads are ignored,
    ``torch`` the build of torch the lock holds, ``stubs`` empty modules (name → reason), ``heavy`` why it is left
    out of runs that do not ask for it, ``usual`` whether it is in those otherwise (the newest version and those
    that people still meet are; those between serve histories), ``timeout`` the seconds one ask may take where that
    is more than usual, ``java`` the major versions of Java it runs on, ``build_constraints`` what a source
    distribution is built with, ``no_build_isolation`` why that is done in its own environment, after all else is
    installed there, ``adapter`` the file that calls it. ``unavailable`` is why it cannot be installed at
    all, and ``log`` the end of what the attempt said: such a version has a row and no lock. ``git`` is the commit
    that it is, where it comes from the repository and not from the index.
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
    no_build_isolation: Text | None = None
    adapter: Annotated[str, StringConstraints(pattern=r"^\w+\.py$")] = "adapter.py"
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
    homepage: Annotated[str, StringConstraints(pattern=r"^https?://\S+$")]
    source: Source
    versions: Annotated[tuple[Version, ...], Field(alias="version", min_length=1)]
    out_of_scope: dict[Text, Text] = Field(default_factory=dict)


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
    """One library: who it is, the versions pinned, what it offers; ``name`` is the folder's name."""

    folder: Path
    functions: tuple[Function, ...] = ()

    @property
    def name(self) -> str:
        """The folder's name, by which the library is asked for."""
        return self.folder.name

    def adapter_path(self, version: Version) -> Path:
        """The file that calls ``version``."""
        return self.folder / version.adapter

    def functions_of(self, version: Version) -> tuple[Function, ...]:
        """What users reach in ``version``, each with the claims of that version."""
        return tuple(found for each in self.functions if (found := each.of(version.version)) is not None)

    def lock_path(self, version: Version) -> Path:
        """The file with the exact, hashed requirements of ``version``; it need not exist."""
        return self.folder / "locks" / f"{version.version}.txt"

    def expected_path(self, version: Version) -> Path:
        """The file with what the last accepted audit of ``version`` found; it need not exist."""
        return self.folder / "expected" / f"{version.version}.json"

    def recording_path(self, version: Version) -> Path:
        """Return the header of the recording of ``version``, a file that need not exist.

        Its format is that of :mod:`audit.responders.recording_file`.
        """
        return self.folder / "recordings" / f"{version.version}.json"

    def requirement(self, version: Version) -> str | None:
        """The library itself as its lock holds it; ``None`` for a version that comes from the repository."""
        return None if version.git else f"{self.source.package}=={version.version}"

    def origin(self, version: Version) -> str:
        """Where ``version`` comes from, in words: package and version, or repository and commit."""
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


def load(folder: Path) -> Manifest:
    """Read ``folder/library.toml``.

    Raises :class:`UserError` where the file is missing, no TOML, or does not say what it must.
    """
    path = folder / FILE
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})", _HINT) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: no valid TOML: {error}", _HINT) from error
    if "folder" in document:
        raise UserError(f"{path}: folder: no such key", _HINT)
    try:
        document = with_inherited(document)
        file = _LibraryFile.model_validate(document)
        said = {key: document[key] for key in ("title", "about", "homepage", "source", "version", "out_of_scope")
                if key in document}  # fmt: skip
        return Manifest.model_validate(said | {"folder": folder, "functions": file.functions()})
    except ValidationError as error:
        raise UserError("\n".join(f"{path}: {line}" for line in complaints(error, document, _KEYS)), _HINT) from error
    except ValueError as error:
        raise UserError(f"{path}: {error}", _HINT) from error


_KEYS = sorted({
    field.alias or name
    for table in (_LibraryFile, Source, Version, Commit, Group, FunctionBlock, ClaimBlock)
    for name, field in table.model_fields.items()
} | {"like"})  # fmt: skip
_HINT = "the keys of library.toml are described in adapters/README.md"


def discover(adapters_dirs: Sequence[Path]) -> dict[str, Manifest]:
    """Every library of these directories by name, in alphabetical order.

    A later directory adds libraries or replaces those of the same name. Folders that start with ``.`` or
    ``_`` are none. Raises :class:`UserError` for a directory that does not exist, and for a folder that holds
    an ``adapter.py`` without ``library.toml``.
    """
    folders: dict[str, Path] = {}
    for directory in adapters_dirs:
        if not directory.is_dir():
            raise UserError(f"{directory}: no such directory of adapters", "--adapters takes a directory")
        for folder in directory.iterdir():
            if folder.name[0] not in "._" and any((folder / f).is_file() for f in (FILE, "adapter.py")):
                folders[folder.name] = folder
    return {name: load(folders[name]) for name in sorted(folders)}


def adapters_dir() -> Path:
    """The adapters that come with the tool: those of the checkout, else those packaged in the wheel."""
    package = Path(__file__).resolve().parent.parent
    # The wheel alone has `_adapters`; looked for first, since `adapters` in site-packages may be anyone's.
    for candidate in (package / "_adapters", package.parent / "adapters"):
        if candidate.is_dir():
            return candidate
    raise UserError("the tool's own adapters are missing", "install it again, or pass --adapters DIR")


def is_installed_package(directory: Path) -> bool:
    """Whether ``directory`` lies in an installed package, where nothing may be written."""
    resolved = directory.resolve()
    installed = not {"site-packages", "dist-packages"}.isdisjoint(resolved.parts)
    return installed or resolved.is_relative_to(Path(__file__).resolve().parent.parent)


def refuse_installed(directory: Path) -> None:
    """Raise :class:`UserError` where :func:`is_installed_package`; for commands that write."""
    if is_installed_package(directory):
        raise UserError(
            f"{directory} belongs to an installed package and is not written to",
            "copy the adapters to a folder of your own and pass it with --adapters DIR",
        )


def select(manifests: Mapping[str, Manifest], wanted: Sequence[str] = ()) -> list[tuple[Manifest, Version]]:
    """The versions that ``NAME`` (all of them) and ``NAME==VERSION`` stand for, each once, in that order.

    Nothing wanted means everything. Raises :class:`UserError` for a library or version that is not there.
    """
    chosen: dict[tuple[str, str], tuple[Manifest, Version]] = {}
    for request in wanted or tuple(manifests):
        name, _, number = (part.strip() for part in request.partition("=="))
        manifest = manifests.get(name)
        if manifest is None:
            raise UserError(f"no library is called {name!r}", _nearest(name, manifests))
        found = [v for v in manifest.versions if v.version == number or not number]
        if not found or request.rstrip().endswith("=="):
            pinned = ", ".join(v.version for v in manifest.versions)
            raise UserError(f"{name} {number or '(no version)'} is not pinned", f"pinned are {pinned}")
        chosen.update({(name, v.version): (manifest, v) for v in found})
    return list(chosen.values())


def whole(chosen: Sequence[tuple[Manifest, Version]]) -> list[Manifest]:
    """The libraries of which every version was chosen."""
    manifests = {manifest.name: manifest for manifest, _ in chosen}
    count = Counter(manifest.name for manifest, _ in chosen)
    return [manifest for name, manifest in manifests.items() if count[name] == len(manifest.versions)]


def _nearest(name: str, manifests: Mapping[str, Manifest]) -> str:
    """What a mistyped name may have meant, by folder, title or distribution; else where the names are."""
    spellings = {
        spelling.lower(): known
        for known, manifest in manifests.items()
        for spelling in (manifest.source.package or known, manifest.title, known)
    }
    close = get_close_matches(name.lower(), spellings, n=1, cutoff=0.5)
    return f"did you mean {spellings[close[0]]}?" if close else "`audit list` shows the libraries there are"
