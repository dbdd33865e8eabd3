"""Turns answers and exceptions into errors, and decides which requests are worth a retry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from urllib3 import BaseHTTPResponse, Retry, exceptions

from converter.errors import HttpError
from converter.issues import printable

#: Statuses that may change in a moment.
_TRANSIENT: Final = frozenset({429, 500, 502, 503, 504})

#: What parsers of headers raise, in requests, urllib3 and the standard library.
UNREADABLE: Final = (ValueError, LookupError, OverflowError, RecursionError)


class TransientError(HttpError):
    """An attempt that failed, and may be repeated."""

    retry_after: float | None = None
    """The seconds of a Retry-After header; None if there is none that can be read."""


def status_error(response: BaseHTTPResponse) -> HttpError:
    """Return the error for an answer that is not a document."""
    status = response.status
    known = status in HTTPStatus.__members__.values()
    phrase = HTTPStatus(status).phrase if known else printable(response.reason or "", 40)
    message = f"the server answered {status} {phrase}".rstrip()
    if status < HTTPStatus.BAD_REQUEST:
        message += "; wanted 200 and a document"
    is_server_error = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    usual = "Try later, or ask the owner of the site" if is_server_error else "Open it in a browser"
    message = f"{message}. {_ADVICE.get(status, usual)}"
    if status not in _TRANSIENT:
        return HttpError(message, status=status)
    error = TransientError(message, status=status)
    with suppress(exceptions.InvalidHeader, *UNREADABLE):
        error.retry_after = Retry().get_retry_after(response)
    return error


def connection_error(error: Exception) -> TransientError:
    """Return the error for an exception of requests or urllib3.

    Raises:
        HttpError: a retry would fail in the same way; without the name of the source.
    """
    if isinstance(error, ValueError):  # their errors of this type are about URL and headers
        raise HttpError(
            "the URL cannot be fetched, or a header is not valid in HTTP. Check them"
        ) from error
    causes = tuple(_causes(error))
    for kind, message in _MESSAGES.items():
        if any(isinstance(cause, kind) for cause in causes):
            return TransientError(message)
    system = (cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror)
    return TransientError(next(system, "the connection failed, or the answer is not HTTP"))


def _causes(error: object) -> Iterator[BaseException]:
    """Yield an error and all errors that it wraps; libraries wrap each other's."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        cause = waiting.pop(0)
        if not isinstance(cause, BaseException) or id(cause) in seen:
            continue  # SSLError.reason is a text
        seen.add(id(cause))
        yield cause
        waiting += [cause.__cause__, getattr(cause, "reason", None), cause.__context__, *cause.args]


#: The first type that is among the causes counts.
_MESSAGES: Final[Mapping[type[BaseException], str]] = {
    exceptions.ProxyError: (
        "the proxy that the environment names could not be reached, or refused; in HTTPS_PROXY "
        "write http:// for a proxy that does not speak TLS itself"
    ),
    ConnectionRefusedError: "the connection was refused: no server listens there",
    ConnectionError: "the server broke off the connection",
    exceptions.NameResolutionError: "its host could not be looked up at the moment",
    exceptions.ConnectTimeoutError: "the connection timed out",
    exceptions.ReadTimeoutError: "the server fell silent",
    exceptions.IncompleteRead: "the body is shorter than the server announced",
    exceptions.InvalidChunkLength: "the body breaks off, or its chunks are damaged",
    TimeoutError: "the server fell silent",  # of sockets
}
_ADVICE: Final[Mapping[int, str]] = {
    401: "Add name and password in ~/.netrc, in the URL, or with --header",
    403: "It may want --header, or another --user-agent",
    404: "There is no such page: check the URL",
    407: "The proxy wants name and password: add them in HTTP_PROXY or HTTPS_PROXY",
    410: "The page is gone for good: remove it from the sources",
    429: "There were too many requests: try later",
}
