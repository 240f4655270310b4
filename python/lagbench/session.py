"""Session directories and the runs in them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagbench.captures import Capture, SessionError, map_records, read_capture, read_json
from lagbench.packets import Packets, join

if TYPE_CHECKING:
    import pandas
    import polars

_SERIES_TYPES = {"at": "<i8", "value": "<f8", "state": "<i8"}


class Drop(NamedTuple):
    """
    A packet that the receiving kernel dropped.

    :ivar dropped_ns: when, CLOCK_REALTIME of the receiver
    :ivar reason: the kernel's name of the reason, such as SOCKET_RCVBUFF
    """

    dropped_ns: int
    reason: str


class Decision(NamedTuple):
    """
    What both sides decided to observe, with observe: auto.

    :ivar observed: windows, all packets or none
    :ivar reason: why it is none, as a sentence; empty if something is observed
    """

    observed: str
    reason: str


class Run:
    """A directory with the captures of a run, also of a run that was executed without a session."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @property
    def name(self) -> str:
        return self.path.name

    @cached_property
    def record(self) -> Mapping[str, Any]:
        """The content of run.json."""
        return read_json(self.path / "run.json")

    @property
    def state(self) -> str:
        """COMPLETE, or why the run is not."""
        state = self.record.get("state")
        if not isinstance(state, str):
            raise SessionError(f"{self.path / 'run.json'} has no state.")
        return state

    @property
    def decision(self) -> Decision | None:
        """What both sides decided to observe; None if the run had not to decide."""
        metadata = self._metadata("sender")
        observed = metadata.get("observed")
        if not isinstance(observed, str):
            return None
        return Decision(observed, str(metadata.get("observedReason", "")))

    def _metadata(self, side: str) -> Mapping[str, Any]:
        """What a side has recorded of itself; empty if run.json has nothing of the kind."""
        found: object = self.record
        for name in (side, "metadata"):
            found = found.get(name) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}

    @property
    def captures(self) -> list[str]:
        """The names of the captures of this run, such as "sender"."""
        return sorted(file.stem for file in self.path.glob("*.npy"))

    def capture(self, name: str) -> Capture:
        """
        Maps a capture into memory, without records that were never written.

        :raises SessionError: if the run has no such capture, or it is damaged
        """
        return read_capture(self.path / f"{name}.npy")

    def columns(self, name: str) -> dict[str, list[int]]:
        """
        Reads a capture into lists of integers, whose arithmetic cannot overflow.

        :raises SessionError: as for capture
        """
        records = self.capture(name)
        return {field: records[field].tolist() for field in records.dtype.names or ()}

    def packets(self) -> Packets:
        """
        Returns the joined packets: one row for each arrival and each lost packet.

        :raises SessionError: if a capture is missing or damaged
        """
        sent = self._numbered("sender", "scheduled_ns", "sent_ns", "returned_ns")
        received = self._numbered("receiver", "received_ns")
        asked = self._packets_before_windows()
        if asked is not None:
            arrived = np.flatnonzero(received["seq"] < asked)
            sent, received = sent[:asked], received[: arrived[-1] + 1 if len(arrived) else 0]
        return join(
            sent,
            received,
            self._numbered("sender-replies", "answered_ns") if "sender-replies" in self.captures else None,
        )

    def drops(self) -> dict[int, Drop]:
        """
        Returns the packets that the receiving kernel dropped, by their numbers; empty if drops were not recorded. A
        packet that arrived can have a drop: that of a copy.

        :raises SessionError: if the record is damaged
        """
        if "receiver-drops" not in self.captures:
            return {}
        named = self._metadata("receiver").get("dropReasons", "")
        names = dict(reason.split(" ", 1) for reason in str(named).split(", ") if " " in reason)
        drops = self.columns("receiver-drops")
        return {
            packet: Drop(at_ns, names.get(str(reason), f"reason {reason}"))
            for packet, at_ns, reason in zip(drops["seq"], drops["dropped_ns"], drops["reason"], strict=True)
        }

    def _packets_before_windows(self) -> int | None:
        """Returns the number of packets that were asked for; None if no observed windows follow them."""
        if not (self.path / "run.json").is_file():
            return None
        try:
            point = self.record["run"]["point"]
            return int(point["packets"]) if "auto" in point["observe"] else None
        except (AttributeError, KeyError, TypeError, ValueError):
            return None

    def _numbered(self, name: str, *fields: str) -> Capture:
        """Maps a capture with these fields and sequence numbers."""
        records = self.capture(name)
        missing = {"seq", *fields}.difference(records.dtype.names or ())
        if missing or (records["seq"] < 0).any():
            raise SessionError(
                f"{self.path / name}.npy is not a capture of packets: "
                + (f"it has no field {min(missing)}." if missing else "it has a negative sequence number.")
            )
        return records

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the joined packets as 64-bit integers, pandas.NA where a value does not exist. Needs pandas."""
        import pandas

        return pandas.DataFrame(
            {
                name: pandas.arrays.IntegerArray(np.ma.getdata(column), np.ma.getmaskarray(column))
                for name, column in self.packets().items()
            }
        )

    def to_polars(self) -> polars.DataFrame:
        """Returns the joined packets as 64-bit integers, null where a value does not exist. Needs polars."""
        import polars

        return polars.DataFrame(
            [
                polars.Series(name, np.ma.getdata(column)).scatter(np.flatnonzero(np.ma.getmaskarray(column)), None)
                for name, column in self.packets().items()
            ]
        )

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"


class Session:
    """A session directory of sweep, run, tune, capacity or monitor, or one pair of a matrix."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @property
    def runs(self) -> list[Run]:
        """The runs in the order of their names, also those that are not complete."""
        return [Run(file.parent) for file in sorted(self.path.glob("runs/*/run.json"))]

    @cached_property
    def summary(self) -> Mapping[str, Any]:
        """The metrics of all points and runs: the content of summary.json, which the session's command writes."""
        return read_json(self.path / "summary.json")

    @property
    def series(self) -> list[str]:
        """The names of the series of a monitor."""
        index = self.path / "series.json"
        try:
            return [str(series["name"]) for series in read_json(index)["series"]]
        except (KeyError, TypeError) as failure:
            raise SessionError(f"{index} is not an index of series.") from failure

    def read_series(self, name: str) -> Capture:
        """
        Reads all days of a series of a monitor: at in ns since the epoch, value, state.

        :raises SessionError: if the session has no records of this series
        """
        day = re.compile(re.escape(name) + r"\.\d{4}-\d\d-\d\d\.npy")
        files = [file for file in sorted(self.path.glob("series/*.npy")) if day.fullmatch(file.name)]
        # a monitor that was killed before its first record of a day leaves no header, or a part of it
        begun = [file for file in files if not (file.is_file() and file.stat().st_size < 256)]
        days = [map_records(file, _SERIES_TYPES) for file in begun]
        if not days:
            raise SessionError(f"{self.path} has no records of the series {name}; it has {', '.join(self.series)}.")
        if any(day.dtype.names != tuple(_SERIES_TYPES) for day in days):
            raise SessionError(f"{self.path} has records of the series {name} without {', '.join(_SERIES_TYPES)}.")
        return np.concatenate(days)

    def __repr__(self) -> str:
        return f"Session({str(self.path)!r})"


def open(path: str | os.PathLike[str]) -> Session:
    """
    Opens a session directory.

    :raises SessionError: if it is not one
    """
    session = Session(path)
    if not (session.path / "experiment.yaml").is_file():
        raise SessionError(f"{path} is not a session directory: it has no experiment.yaml.")
    return session
