"""Provides the responder of a trial: the library itself, in its own environment, asked anew each time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from recsys_metric_audit.audit.environments.environment import BuildFailed, Progress
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.responders.choice import find_responder
from recsys_metric_audit.audit.responders.interface import NoResponder, Responder


class NotAnsweringError(UserError):
    """Nothing answers for a version: its environment cannot be built, or it has no checkout and no recording."""

    exit_code = 3


@contextmanager
def answering(manifest: Manifest, version: Version, seconds: float, progress: Progress) -> Iterator[Responder]:
    """Open the responder of a version for a trial; answers are not cached, since its adapter is being written.

    Args:
        manifest: the library.
        version: one of its versions.
        seconds: the time limit of one call.
        progress: hears each step of building an environment, in words.

    Raises:
        NotAnsweringError: if nothing answers for it.
    """
    try:
        responder = find_responder(manifest, version, {}, Limits(seconds=seconds), progress)
    except BuildFailed as error:
        said = f"\n{error.log_tail}" if error.log_tail else ""
        raise NotAnsweringError(f"{manifest.name} {version.version}: {error.reason}{said}", error.hint) from error
    except NoResponder as error:
        raise NotAnsweringError(f"{manifest.name} {version.version}: {error.reason}", error.hint) from error
    with closing(responder):
        yield responder
