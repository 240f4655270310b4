"""The metrics of one run by DuckDB, its tables filled from the captures by NumPy.

usage: python3 -m lagbench_validation.analysis.duckdb_metrics RUN_DIRECTORY
"""

import json
import os
import sys

import duckdb
import numpy as np

QUERY = """
    WITH quantiles AS (
        SELECT quantile_cont(value, [0.5, 0.95, 0.99]) AS q, avg(value) AS mean, stddev_samp(value) AS sd FROM {series}
    )
    SELECT any_value(q[1]), any_value(mean), any_value(sd),
        any_value(q[2]), avg(value) FILTER (value <= q[2]), stddev_samp(value) FILTER (value <= q[2]),
        any_value(q[3]), avg(value) FILTER (value <= q[3]), stddev_samp(value) FILTER (value <= q[3])
    FROM {series}, quantiles
"""


def main(run: str) -> None:
    columns = {}
    for side, stamp in (("sender", "sent_ns"), ("receiver", "received_ns")):
        capture = np.load(f"{run}/{side}.npy", mmap_mode="r")
        columns[side] = {name: np.ascontiguousarray(capture[name]) for name in ("seq", stamp)}
    sender, receiver = columns["sender"], columns["receiver"]
    database = duckdb.connect()
    database.execute("SET threads = 2")
    # Memory besides the columns: DuckDB's default is most of the machine's memory, whatever else runs there.
    database.execute(f"SET memory_limit = '{os.sysconf('SC_AVPHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') // 2**21} MiB'")
    database.register("sender", sender)
    database.register("receiver", receiver)
    database.execute("CREATE VIEW lag AS SELECT received_ns - sent_ns AS value FROM receiver JOIN sender USING (seq)")
    for name, side, stamp in (("sendDelay", "sender", "sent_ns"), ("receiveDelay", "receiver", "received_ns")):
        database.execute(
            f"CREATE VIEW {name} AS SELECT value FROM"
            f" (SELECT {stamp} - lag({stamp}) OVER (ORDER BY seq) AS value FROM {side}) WHERE value IS NOT NULL"
        )
    print(
        json.dumps(
            {
                name: [float(value) for value in database.execute(QUERY.format(series=name)).fetchone()]
                for name in ("lag", "sendDelay", "receiveDelay")
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
