"""A web server on loopback that answers as it is told, well or badly, and remembers what came.

with serving({"/feed": b"<rss/>", "/gone": Reply(410)}) as server:
    ...  # ask for server.url("/feed")
    assert server.asked[0].headers["accept-encoding"] == "gzip"
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Asked:
    """One request."""

    path: str
    """With its query, as it came."""
    headers: Mapping[str, str]
    """By their names in lower case."""


@dataclass(frozen=True)
class Reply:
    """One answer; Content-Length is that of the body unless it is among the headers."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """All that goes over the wire, piece by piece; then the connection is closed."""

    pieces: Iterable[bytes]


Answer: TypeAlias = bytes | Reply | Raw
Route: TypeAlias = Answer | list[Answer] | Callable[[Asked], Answer]


class Server(ThreadingHTTPServer):
    """What `serving` gives. Of a list of answers each request takes one, and the last stays."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, routes: Mapping[str, Route]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.routes = dict(routes)
        self.asked: list[Asked] = []
        self.connections = 0
        self.most_at_once = 0
        self._at_once = 0
        self._closing = threading.Event()
        self.lock = threading.Lock()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        """Name a page of this server; another host must be resolved to it by the test."""
        return f"http://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [asked.path for asked in self.asked]

    def rest(self, seconds: float) -> bool:
        """Wait, but not longer than the server lives; is it still alive?"""
        return not self._closing.wait(seconds)

    def dripping(self, data: bytes, seconds: float) -> Iterator[bytes]:
        """Give data byte by byte."""
        for at in range(len(data)):
            if not self.rest(seconds):
                return
            yield data[at : at + 1]

    def answer(self, asked: Asked) -> Answer:
        with self.lock:
            self.asked.append(asked)
            route = self.routes.get(asked.path.partition("?")[0], Reply(404))
            if isinstance(route, list):
                route = route.pop(0) if len(route) > 1 else route[0]
        return route(asked) if callable(route) else route

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the requests that are answered at the same time."""
        with self.lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            yield
        finally:
            with self.lock:
                self._at_once -= 1

    def close(self) -> None:
        self._closing.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is none of our business."""


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def setup(self) -> None:
        super().setup()
        with self.server.lock:
            self.server.connections += 1

    protocol_version = "HTTP/1.1"
    timeout = 20
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.server.counting(), suppress(OSError):
            answer = self.server.answer(Asked(self.path, headers))
            if isinstance(answer, Raw):
                self.close_connection = True
                for piece in answer.pieces:
                    self.wfile.write(piece)
            else:
                self._reply(Reply(body=answer) if isinstance(answer, bytes) else answer)

    def _reply(self, reply: Reply) -> None:
        self.send_response(reply.status, HTTPStatus(reply.status).phrase)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        has_body = reply.status != HTTPStatus.NOT_MODIFIED
        if "Content-Length" in reply.headers:
            self.close_connection = True  # whoever waits for more of it shall not wait long
        elif has_body:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if has_body:
            self.wfile.write(reply.body)

    def log_message(self, *_: Any) -> None:
        """Nothing: tests read `asked`."""


@contextmanager
def serving(routes: Mapping[str, Route]) -> Iterator[Server]:
    """Serve until the block ends; `server.routes` may be changed meanwhile."""
    server = Server(routes)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()
