"""A shop's orders in PostgreSQL, a configuration that pushes them, and a daemon that does."""
import atexit
import os
import subprocess
import time

from harness.servers import peak_and_cpu

CONFIGURATION = """
[service]
base_url = "{url}"
[service.auth]
kind = "none"
[service.pace]
max_per_second = 1000
[crm]
connection = "{connection}"
[push.orders]
brake = false
every = "{every}"
in_flight = {in_flight}
query = "SELECT {columns} FROM orders"
key = "id"
when = "delivered_at"
start = 2020-01-01
look_back = "3650d"
correlate = "OrderNumber"
[push.orders.batch]
size = 200
[push.orders.customer]
Email = "email"
TransactionDate = "delivered_at"
[push.orders.customer.Data]
OrderNumber = "id"
"""


class Shop:
    def __init__(self, binaries, postgres, service, every="1s", in_flight=1):
        self.bridge = os.path.join(binaries, "surveybridge")
        self.postgres, self.service = postgres, service
        self.file = postgres.files + "/bridge.toml"
        self.every, self.in_flight = every, in_flight
        self.select("id, email, delivered_at")
        schema = subprocess.run([self.bridge, "schema", "--database", "postgresql"], check=True,
                                capture_output=True, text=True).stdout
        postgres.sql(schema)
        postgres.sql("CREATE TABLE orders (id bigint PRIMARY KEY, email text, delivered_at timestamptz)")

    def select(self, columns):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(url=self.service.url, connection=self.postgres.connection,
                                            every=self.every, in_flight=self.in_flight,
                                            columns=columns))

    def fill(self, rows, sent, index=True):
        """`rows` orders, the last a moment ago, one a second before it. The first `sent` are in the
        ledger."""
        sql = self.postgres.sql
        sql(f"INSERT INTO orders SELECT i, 'person' || i || '@example.test',"
            f" now() - ({rows} - i) * interval '1 second' FROM generate_series(1, {rows}) AS i")
        if index:
            sql("CREATE INDEX orders_when ON orders (delivered_at, id)")
        self.send(1, sent)
        # The rate that the bridge has learned before: the climb is measured by bench/pace.
        sql("INSERT INTO survey_pace (service, owner, rate, edge, share, seen_at, live_until)"
            f" VALUES ('{self.service.url}', 'bench', 900000, 0, 1, now(), now())")
        sql("VACUUM ANALYZE")

    def send(self, first, last):
        self.postgres.sql(
            "INSERT INTO survey_push (push, key, state, batch, attempts, test, person, seen_at,"
            " changed_at) SELECT 'orders', CAST(i AS text), 'sent', 'batch' || i / 200, 1, false,"
            " md5(CAST(i AS text)), now() - interval '1 hour', now() - interval '1 hour'"
            f" FROM generate_series({first}, {last}) AS i ON CONFLICT DO NOTHING")

    def start(self):
        """A daemon. It is killed at the end of this program, if it still runs."""
        process = subprocess.Popen([self.bridge, "run", "-c", self.file], stdout=subprocess.DEVNULL,
                                   stderr=open(self.postgres.folder + "/bridge.log", "ab"))
        atexit.register(process.kill)
        return process

    def stop(self, process):
        """Peak MiB and seconds of processor time."""
        figures = peak_and_cpu(process)
        process.terminate()
        process.wait()
        return figures

    def wait_until(self, works, process, seconds_max=30):
        """Until `works` raises no OSError."""
        end = time.monotonic() + seconds_max
        while True:
            try:
                return works()
            except OSError:
                if time.monotonic() > end or process.poll() is not None:
                    raise
            time.sleep(0.05)

    def wait_for(self, rows, seconds_max, process):
        end = time.monotonic() + seconds_max
        while self.service.rows < rows and time.monotonic() < end and process.poll() is None:
            time.sleep(0.2)
