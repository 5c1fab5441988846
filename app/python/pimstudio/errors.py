# SPDX-License-Identifier: GPL-3.0-or-later
"""What the compiler raises: one class for each error code of the command line, with its text."""
from __future__ import annotations

from typing import NoReturn


class Error(Exception):
    """What went wrong; str() is the text that `pimc` prints."""

    code: str = ""

    def __init__(self, text: str, message: str, where: str, hint: str) -> None:
        super().__init__(text)
        self.message = message
        self.where = where
        self.hint = hint

    def __reduce__(self) -> tuple[type[Error], tuple[str, str, str, str]]:
        return type(self), (str(self), self.message, self.where, self.hint)


class InvalidFileError(Error):
    """A file is not what it claims to be."""

    code = "invalid file"


class InvalidModelError(Error):
    """A readable model that makes no sense."""

    code = "invalid model"


class InvalidTargetError(Error):
    """A target description that fails its schema or contradicts itself."""

    code = "invalid target"


class InvalidKernelError(Error):
    """Kernel text that does not parse, or a loop nest that is not affine."""

    code = "invalid kernel"


class IllegalOverrideError(Error):
    """A decision that the target or the op does not allow."""

    code = "illegal override"


class UnsupportedError(Error):
    """Legal, but nothing here can do it."""

    code = "unsupported"


class NotFoundError(Error):
    """A named object that does not exist."""

    code = "not found"


class IoError(Error):
    """The operating system refused."""

    code = "input/output error"


class DatabaseError(Error):
    """The project file cannot be read or written."""

    code = "project file error"


class UsageError(Error):
    """An argument that is not understood."""

    code = "usage error"


class CancelledError(Error):
    """The work was stopped."""

    code = "cancelled"


class InternalError(Error):
    """A mistake in PIM Studio."""

    code = "internal error"


def refuse(kind: type[Error], where: str, message: str, hint: str = "") -> NoReturn:
    """What is found wrong in Python, in the form of the command line."""
    raise kind(f"{where}: {message}{'. ' if hint else ''}{hint}", message, where, hint)


BY_CODE: dict[str, type[Error]] = {
    each.code: each
    for each in (
        InvalidFileError, InvalidModelError, InvalidTargetError, InvalidKernelError, IllegalOverrideError, UnsupportedError,
        NotFoundError, IoError, DatabaseError, UsageError, CancelledError, InternalError,
    )
}
