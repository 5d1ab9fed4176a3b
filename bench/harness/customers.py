"""A service that lists customers with answers; every page is made before the first request."""
import json
import re
import socketserver
import threading
import time

COLUMNS = [{"Id": 1, "Required": False, "Archived": False, "Name": "OrderNumber",
            "DisplayName": "OrderNumber"}]
LAST_ACTIVITY = "2026-11-02"


def customer(number, answers):
    return {
        "Id": number, "Email": f"person{number}@example.test", "Language": "nl",
        "TransactionDate": "2026-11-01T12:00:00Z", "LastActivityDate": LAST_ACTIVITY + "T12:00:00Z",
        "CreationDate": "2026-11-01T13:00:00Z", "OptedOut": False,
        "Status": {"Id": 5, "StatusName": "Finished"},
        "Data": [{"CustomerDataColumnId": 1, "Name": "OrderNumber", "DisplayName": "OrderNumber",
                  "Value": f"o-{number}", "IsEncrypted": False}],
        "Answers": [{"BaseQuestionId": 1200 + i, "Text": f"What customer {number} says of question {i}",
                     "DateAnswered": "2026-11-02T11:00:00Z"} for i in range(answers)],
    }


def pages_of(customers, answers, limit):
    pages = []
    for first in range(0, customers, limit):
        last = min(first + limit, customers)
        body = {"Customers": [customer(number, answers) for number in range(first + 1, last + 1)],
                "NextCursor": str(last) if last < customers else None}
        pages.append(json.dumps(body, separators=(",", ":")).encode())
    return pages


class _Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while True:
            line = self.rfile.readline().decode()
            if not line:
                return
            while self.rfile.readline() not in (b"\r\n", b""):
                pass
            status, body = self.server.answer(line.split(" ")[1])
            time.sleep(self.server.latency)
            self.wfile.write(b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                             % (status, len(body)) + body)
            self.wfile.flush()


class Customers(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, customers, answers, latency=0.0, limit=100):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.latency, self.limit = latency, limit
        self.pages = pages_of(customers, answers, limit)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def answer(self, path):
        if "columns" in path.lower() or "datacolumn" in path.lower():
            return b"200 OK", json.dumps({"CustomerDataColumns": COLUMNS}).encode()
        if "/customer?" in path:
            # Nobody has moved while the window was read.
            since = re.search(r"[?&]LastActivityDateFilter.From=([0-9-]+)", path)
            if "CustomerIds" in path or (since and since[1] > LAST_ACTIVITY):
                return b"200 OK", b'{"Customers":[],"NextCursor":null}'
            cursor = re.search(r"[?&]Cursor=(\d+)", path)
            return b"200 OK", self.pages[int(cursor[1]) // self.limit if cursor else 0]
        return b"404 Not Found", b"{}"

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.server_address[1]
