"""A stand-in for the REST API: keeps comments in memory, logs each request as a line of JSON.

stand_in.py LOG [BEHAVIOR]: prints its port. Behaviors: truncated, broken, refused, crowded.
"""

import http.server
import json
import sys

log_path, behavior = sys.argv[1], (sys.argv[2:] or [""])[0]
COMMENTS = [
    {"id": 7, "user": {"login": "mallory"}, "body": "quoting <!-- fathom ci -->"},
    {"id": 8, "user": None, "body": None},
]
if behavior == "crowded":
    COMMENTS += [{"id": 100 + n, "user": {"login": "someone"}, "body": "+1"} for n in range(230)]


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, content, length=None):
        content = json.dumps(content).encode() if not isinstance(content, bytes) else content
        self.send_response(status)
        self.send_header("Content-Length", str(length or len(content)))
        self.end_headers()
        self.wfile.write(content)

    def handle_request(self):
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        entry = {
            "method": self.command,
            "path": self.path,
            "authorization": self.headers["Authorization"],
            "type": self.headers["Content-Type"],
            "body": json.loads(sent)["body"] if sent else None,
        }
        with open(log_path, "a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")
        path, _, query = self.path.partition("?")
        if behavior == "truncated":
            self.answer(200, b'[{"id": 1', length=5000)
        elif behavior == "broken":
            self.answer(200, b"<html>busy</html>")
        elif behavior == "refused" and self.command != "GET":
            self.answer(403, {"message": "Resource not accessible\nby integration"})
        elif path == "/repos/o/r/pulls/12":
            self.answer(200, {"head": {"sha": "abc"}})
        elif path == "/repos/o/r/issues/12/comments" and self.command == "GET":
            page = int(query.rpartition("=")[2])
            self.answer(200, COMMENTS[(page - 1) * 100 : page * 100])
        elif path == "/repos/o/r/issues/12/comments" and self.command == "POST":
            bot = {"login": "github-actions[bot]"}
            COMMENTS.append({"id": 41, "user": bot, "body": entry["body"]})
            self.answer(201, COMMENTS[-1])
        elif path == "/repos/o/r/issues/comments/41" and self.command == "PATCH":
            self.answer(200, {"id": 41})
        else:
            self.answer(404, {"message": "Not Found"})

    do_GET = do_POST = do_PATCH = handle_request

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
