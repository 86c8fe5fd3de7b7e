"""Discovery of the libraries there are, and selection by name: the listings of folders are the registry.

A folder with a ``library.toml`` is a library. Installed distributions bring further ones by an entry point of theirs;
nothing of them is imported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from re import fullmatch

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, adapter_folders, load

GROUP = "recsys_metric_audit.adapters"
"""The group of entry points; the value of each is the dotted name of a package whose folder holds adapter folders."""


def installed_adapters() -> Iterator[tuple[str, Manifest | UserError]]:
    """Yield who brings adapters, in words, with each library of theirs, or with why it cannot be had."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: (_distribution(point), point.name)):
        who = f"{_distribution(point)} (entry point {point.name} = {point.value})"
        try:
            directory = _directory(point.value)
            folders = adapter_folders(directory)
            if not folders:
                raise UserError(f"{directory} holds no folder with a library.toml")
        except UserError as error:
            yield who, error
            continue
        for folder in folders:
            try:
                yield who, load(folder)
            except UserError as error:
                yield who, error


def _distribution(point: EntryPoint) -> str:
    return "an unnamed distribution" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def _directory(name: str) -> Path:
    """Return the folder of a package.

    Only the package at the top is looked up: to look for one within it would import it.

    Raises:
        UserError: if there is none.
    """
    if fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", name) is None:
        raise UserError(f"{name} is not the dotted name of a package")
    top, *inner = name.split(".")
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        spec = None
    places = [Path(place, *inner) for place in (spec and spec.submodule_search_locations) or ()]
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise UserError(f"there is no folder of a package {name}")
    return found


def discover(adapters_dirs: Sequence[Path]) -> dict[str, Manifest]:
    """Return every library of these directories by name, in alphabetical order.

    A later directory adds libraries or replaces those of the same name. Folders that start with ``.`` or
    ``_`` are none. Raises :class:`UserError` for a directory that does not exist, and for a folder that holds
    an ``adapter.py`` without ``library.toml``.
    """
    folders: dict[str, Path] = {}
    for directory in adapters_dirs:
        if not directory.is_dir():
            raise UserError(f"{directory}: no such directory of adapters", "--adapters takes a directory")
        folders |= {folder.name: folder for folder in adapter_folders(directory)}
    return {name: load(folders[name]) for name in sorted(folders)}


def discover_all(given: Sequence[Path]) -> tuple[dict[str, Manifest], list[str]]:
    """Return every library by name, and what is to be said of the adapters of installed distributions.

    The tool's own come first, then those of installed distributions, then those of the directories `given`; a later one
    replaces an earlier one of the same name. An installed adapter that cannot be read is left out.

    Raises:
        UserError: as :func:`discover`, for the directories.
    """
    libraries, remarks = discover([adapters_dir()]), []
    for who, found in installed_adapters():
        if isinstance(found, UserError):
            remarks.append(f"{who}: left out: {found.message}")
            continue
        if found.name in libraries:
            remarks.append(f"{who}: {found.folder} replaces {libraries[found.name].folder}")
        libraries[found.name] = found
    libraries |= discover(given)
    return {name: libraries[name] for name in sorted(libraries)}, remarks


def adapters_dir() -> Path:
    """Return the folder of the tool's own adapters: in the checkout, else in the installed package."""
    own = Path(__file__).resolve().parents[2] / "adapters"
    if own.is_dir():
        return own
    raise UserError("the tool's own adapters are missing", "install it again, or pass --adapters DIR")


def refuse_installed(directory: Path) -> None:
    """Raise :class:`UserError` if ``directory`` lies in an installed package, where nothing may be written."""
    if not {"site-packages", "dist-packages"}.isdisjoint(directory.resolve().parts):
        raise UserError(
            f"{directory} belongs to an installed package and is not written to",
            "copy the adapters to a folder of your own and pass it with --adapters DIR",
        )


def select(manifests: Mapping[str, Manifest], wanted: Sequence[str] = ()) -> list[tuple[Manifest, Version]]:
    """Return the versions that ``NAME`` (all its versions) and ``NAME==VERSION`` stand for, each once, in that order.

    Nothing wanted means everything. Raises :class:`UserError` for a library or version that is not there, and as
    :func:`audit.libraries.known_words.refuse_unknown_words`.
    """
    # Here, and not above: listing libraries must not wait for numpy, which the reference imports.
    from recsys_metric_audit.audit.libraries.known_words import refuse_unknown_words

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
        refuse_unknown_words(manifest)
        chosen.update({(name, v.version): (manifest, v) for v in found})
    return list(chosen.values())


def whole(chosen: Sequence[tuple[Manifest, Version]]) -> list[Manifest]:
    """Return the libraries of which every version was chosen."""
    manifests = {manifest.name: manifest for manifest, _ in chosen}
    count = Counter(manifest.name for manifest, _ in chosen)
    return [manifest for name, manifest in manifests.items() if count[name] == len(manifest.versions)]


def _nearest(name: str, manifests: Mapping[str, Manifest]) -> str:
    """Return a hint: the closest name by folder, title or distribution, else the command that lists the names."""
    spellings = {
        spelling.lower(): known
        for known, manifest in manifests.items()
        for spelling in (manifest.source.package or known, manifest.title, known)
    }
    close = get_close_matches(name.lower(), spellings, n=1, cutoff=0.6)
    return f"did you mean {spellings[close[0]]}?" if close else "`audit list` shows the libraries there are"
