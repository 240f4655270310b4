"""Reads session directories of lagbench.

>>> import lagbench
>>> session = lagbench.open("results/sweep")
>>> sorted(run.record["run"]["point"]["transport"] for run in session.runs)
['ieee1394', 'tcp', 'udp']
>>> run = next(run for run in session.runs if "udp" in run.name)
>>> run.state, run.record["run"]["point"]["packets"]
('COMPLETE', 50)

A capture is a memory-mapped NumPy array; see docs/reference/files.md for the fields of each.

>>> [name for name in run.captures if name != "sender-departures"]  # which only the kernel's observer records
['receiver', 'receiver-events', 'sender', 'sender-events']
>>> run.capture("sender").dtype.names
('seq', 'scheduled_ns', 'sent_ns', 'returned_ns')

The joined packets have a row for each arrival and each lost packet, with the columns of `lagbench export` except the
causes. Values that do not exist, such as the arrival of a lost packet, are masked, or null in a frame.

>>> packets = run.packets()
>>> len(packets["lag_ns"]), int(packets["copy"].sum())
(50, 0)
>>> bool((packets["lag_ns"] == packets["received_ns"] - packets["sent_ns"]).all())
True
>>> run.to_polars().columns == list(run.to_pandas().columns) == list(packets)
True

read_ledgers reads the parts of the lags of slow packets, which `lagbench export --format ledger` writes. Run.drops has
the packets that the receiving kernel dropped, with its reasons.

>>> run.drops()
{}

Run.decision has what both sides decided to observe with observe: auto, and why it is none.

>>> run.decision is None
True

The summary is what `lagbench table` prints: summary.schema.json describes it.

>>> sorted(point["point"]["transport"] for point in session.summary["points"])
['ieee1394', 'tcp', 'udp']
"""

from lagbench.captures import Capture, SessionError
from lagbench.dataset import Dataset, dataset
from lagbench.ledger import Ledger, Part, read_ledgers
from lagbench.packets import Packets
from lagbench.session import Decision, Drop, Run, Session, open
from lagbench.tables import Table

__all__ = [
    "Capture",
    "Dataset",
    "Decision",
    "Drop",
    "Ledger",
    "Packets",
    "Part",
    "Run",
    "Session",
    "SessionError",
    "Table",
    "dataset",
    "open",
    "read_ledgers",
]
