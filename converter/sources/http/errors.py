"""What went wrong on the way, in words; and what is worth another try."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from urllib3 import BaseHTTPResponse, Retry, exceptions

from converter.errors import HttpError
from converter.issues import printable

#: Statuses that may be another one in a moment.
_TRANSIENT: Final = frozenset({429, 500, 502, 503, 504})

#: What parsers of headers raise, in requests, urllib3 and the standard library.
UNREADABLE: Final = (ValueError, LookupError, OverflowError, RecursionError)


class TransientError(HttpError):
    """A try that failed, and may be repeated."""

    retry_after: float | None = None
    """The seconds that the server asks to wait for; None: it says nothing that can be read."""


def refused(response: BaseHTTPResponse) -> HttpError:
    """Give the error of an answer that is no document."""
    status = response.status
    known = status in HTTPStatus.__members__.values()
    phrase = HTTPStatus(status).phrase if known else printable(response.reason or "", 40)
    said = f"the server answered {status} {phrase}".rstrip()
    if status < HTTPStatus.BAD_REQUEST:
        said += "; wanted 200 and a document"
    is_ours = status < HTTPStatus.INTERNAL_SERVER_ERROR
    usual = "Look at the URL with a browser" if is_ours else "Try later, or tell whoever runs it"
    said = f"{said}. {_ADVICE.get(status, usual)}"
    if status not in _TRANSIENT:
        return HttpError(said, status=status)
    error = TransientError(said, status=status)
    with suppress(exceptions.InvalidHeader, *UNREADABLE):
        error.retry_after = Retry().get_retry_after(response)
    return error


def transient(error: Exception) -> TransientError:
    """Judge what requests or urllib3 has raised.

    Raises:
        HttpError: another try would end in the same way; without the name of the source.
    """
    if isinstance(error, ValueError):  # all of their errors of this kind are ours to mend
        raise HttpError(
            "this is no URL that could be fetched, or a header is not fit for HTTP. Check them"
        ) from error
    causes = tuple(_causes(error))
    for kind, said in _SAID.items():
        if any(isinstance(cause, kind) for cause in causes):
            return TransientError(said)
    system = (cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror)
    return TransientError(next(system, "the connection failed, or what came is no HTTP"))


def _causes(error: object) -> Iterator[BaseException]:
    """An error, and what it was made of: libraries wrap each other's."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        cause = waiting.pop(0)
        if not isinstance(cause, BaseException) or id(cause) in seen:
            continue  # SSLError.reason is a text
        seen.add(id(cause))
        yield cause
        waiting += [cause.__cause__, getattr(cause, "reason", None), cause.__context__, *cause.args]


#: The first that is among the causes is said.
_SAID: Final[Mapping[type[BaseException], str]] = {
    exceptions.ProxyError: (
        "the proxy that the environment names could not be reached, or refused; in HTTPS_PROXY "
        "write http:// for one that does not speak TLS itself"
    ),
    ConnectionRefusedError: "the connection was refused: nothing answers there",
    ConnectionError: "the server broke off the connection",
    exceptions.NameResolutionError: "its host could not be looked up at the moment",
    exceptions.ConnectTimeoutError: "no connection came about in time",
    exceptions.ReadTimeoutError: "the server fell silent",
    exceptions.IncompleteRead: "the body is not as long as the server said: it was cut short",
    exceptions.InvalidChunkLength: "the body breaks off, or its chunks are damaged",
    TimeoutError: "the server fell silent",  # of sockets
}
_ADVICE: Final[Mapping[int, str]] = {
    401: "Give name and password in ~/.netrc, in the URL, or with --header",
    403: "It may want --header, or another --user-agent",
    404: "There is no such page: check the URL",
    407: "The proxy wants name and password: give them in HTTP_PROXY or HTTPS_PROXY",
    410: "The page is gone for good: take it out of the sources",
    429: "We ask too often for it: try later",
}
