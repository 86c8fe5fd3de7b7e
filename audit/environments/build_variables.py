"""Chooses the environment variables of what may run a stranger's build: where things are, and no credentials."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

_PASSED_ON = frozenset({
    "PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "JAVA_HOME",
    "CC", "CXX", "FC", "CFLAGS", "CXXFLAGS", "LDFLAGS", "CPATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH",
    "SSL_CERT_FILE", "SSL_CERT_DIR",
    "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    "UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_INDEX_STRATEGY", "UV_NO_INDEX",
    "UV_OFFLINE", "UV_NATIVE_TLS", "UV_SYSTEM_CERTS", "UV_INSECURE_HOST", "UV_HTTP_TIMEOUT",
    "UV_CONCURRENT_BUILDS", "UV_CONCURRENT_DOWNLOADS", "UV_CONCURRENT_INSTALLS", "UV_NO_CONFIG", "UV_CONFIG_FILE",
})  # fmt: skip


def build_variables(home: Path, cache: str, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return all environment variables of a uv that may build, and so of the builds.

    Args:
        home: a folder that builds may take for the user's home.
        cache: the folder of uv's cache.
        environ: environment variables to choose from; by default those of this process.
    """
    environ = os.environ if environ is None else environ
    passed_on = {name: without_credentials(value) for name, value in environ.items() if name in _PASSED_ON}
    settings = _settings(environ)
    if settings is not None and "UV_NO_CONFIG" not in environ:
        passed_on.setdefault("UV_CONFIG_FILE", str(settings))
    return passed_on | {"HOME": str(home), "UV_CACHE_DIR": cache, "UV_KEYRING_PROVIDER": "disabled"}


def without_credentials(text: str) -> str:
    """Return `text` with the user and password of every address in it left out."""
    return re.sub(r"(?<=://)[^\s/@]*@", "", text)


def _settings(environ: Mapping[str, str]) -> Path | None:
    """Return the user's own settings of uv, which say where packages come from; None without any."""
    base = Path(environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME", "/")) / ".config")
    path = base / "uv" / "uv.toml"
    return path if path.is_file() else None
