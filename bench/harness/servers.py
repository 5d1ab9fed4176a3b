"""A PostgreSQL of its own in a temporary folder, and a service that answers every add at once."""
import glob
import os
import pwd
import re
import socket
import socketserver
import subprocess
import tempfile
import threading
import time

COLUMNS = (b'{"CustomerDataColumns":[{"Id":1,"Required":false,"Archived":false,"Name":"OrderNumber",'
           b'"DisplayName":"OrderNumber"}]}')
# Of a customer list: without it a second daemon stops at its restore check and sends nothing.
NOBODY = b'{"Customers":[],"NextCursor":null}'


def newest_programs():
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return folders[-1]


class Postgres:
    """Started on entry and stopped on exit. `settings`: lines of postgresql.conf."""

    def __init__(self, settings=()):
        self.settings = ["listen_addresses = ''", "fsync = off", "shared_buffers = 256MB",
                         "max_wal_size = 4GB", "shared_preload_libraries = 'pg_stat_statements'",
                         "pg_stat_statements.track_planning = on", *settings]

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="bench-postgres-", dir="/tmp")
        # A configuration in the server's folder could be changed by its account: root refuses it.
        self.files = tempfile.mkdtemp(prefix="bench-files-", dir="/tmp")
        self.as_user = []
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.as_user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups"]
        self.bin = newest_programs()
        self.data = self.folder + "/data"
        self._run("initdb", "-D", self.data, "-U", "bridge", "-A", "trust", "-E", "UTF8", "-N")
        with open(self.data + "/postgresql.conf", "a", encoding="utf-8") as file:
            file.write("\n".join([*self.settings, f"unix_socket_directories = '{self.folder}'", ""]))
        self._run("pg_ctl", "-D", self.data, "-l", self.folder + "/log", "-w", "start")
        self.sql("CREATE EXTENSION pg_stat_statements")
        return self

    def __exit__(self, *_):
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        subprocess.run(["rm", "-rf", self.folder, self.files], check=True)

    def _run(self, program, *arguments):
        subprocess.run([*self.as_user, f"{self.bin}/{program}", *arguments], check=True,
                       cwd=self.folder, stdout=subprocess.DEVNULL)

    def sql(self, text):
        done = subprocess.run([f"{self.bin}/psql", "-h", self.folder, "-U", "bridge", "-d", "postgres",
                               "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", text],
                              check=True, capture_output=True, text=True)
        return done.stdout.strip()

    @property
    def connection(self):
        return f"postgresql://host={self.folder} user=bridge dbname=postgres"

    def spent(self):
        """Milliseconds that the database spent on planning and running statements so far."""
        return float(self.sql("SELECT COALESCE(SUM(total_exec_time + total_plan_time), 0)"
                              " FROM pg_stat_statements"))


class _Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while True:
            line = self.rfile.readline()
            if not line:
                return
            length, close = 0, False
            while True:
                header = self.rfile.readline().lower()
                if header in (b"\r\n", b""):
                    break
                if header.startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
                if header.startswith(b"connection:") and b"close" in header:
                    close = True
            body = self.rfile.read(length) if length else b""
            answer = b"{}" if line.startswith(b"POST") else COLUMNS
            if b"/customer?" in line:
                answer = NOBODY
            self.server.note(body)
            if line.startswith(b"POST"):
                time.sleep(self.server.latency)
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                             b"Content-Length: %d\r\n\r\n%s" % (len(answer), answer))
            self.wfile.flush()
            if close:
                return


class Service(socketserver.ThreadingTCPServer):
    """Keeps (seconds, rows so far) after each add, and whose they were if `keeps_people`. An add is
    answered after `latency` seconds."""
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, keeps_people=False, latency=0.0):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.lock = threading.Lock()
        self.people = set() if keeps_people else None
        self.latency = latency
        self.rows, self.marks = 0, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def note(self, body):
        people = re.findall(rb'"Email": ?"person(\d+)', body)
        rows = len(people)
        if rows == 0:
            return
        with self.lock:
            if self.people is not None:
                self.people.update(map(int, people))
            self.rows += rows
            self.marks.append((time.monotonic(), self.rows))

    def rate(self, first, last):
        """Rows a second between the first-th and the last-th row."""
        inside = [mark for mark in self.marks if first <= mark[1] <= last]
        if len(inside) < 2:
            return 0.0
        return (inside[-1][1] - inside[0][1]) / max(inside[-1][0] - inside[0][0], 1e-9)

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.server_address[1]


def peak_and_cpu(process):
    """Peak resident memory in MiB and seconds of processor time of a process that runs."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        peak = int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) / 1024
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return peak, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def port_is_free(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
