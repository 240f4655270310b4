"""An honest message of every type, which a peer of lagbench could have sent."""

from lagbench_validation.rogue.wire import Message

_NOW_NS = 1_760_000_000_000_000_000

_TRACKING: Message = {
    "referenceId": "C0000207",
    "referenceAddress": "192.0.2.7",
    "stratum": 3,
    "leap": "NORMAL",
    "referenceTimeNs": _NOW_NS,
    "correctionNs": 1200.0,
    "lastOffsetNs": -350.0,
    "rmsOffsetNs": 900.0,
    "frequencyPpm": 12.5,
    "residualFrequencyPpm": 0.01,
    "skewPpm": 0.2,
    "rootDelayNs": 150000.0,
    "rootDispersionNs": 40000.0,
    "updateIntervalS": 64.0,
}

_LOAD = {
    "atNs": 1_700_000_000_000_000_000, "loadAverage": 0.5, "busyTicks": 100, "stealTicks": 0, "interruptTicks": 3,
    "allTicks": 400, "cpuWaitUs": 9_000, "program": 7, "ownTicks": 20, "cpuBusyTicks": [60, 40], "cpuMhz": [2_400],
}  # fmt: skip

_REQUEST = {
    "run": {
        "name": "rogue",
        "point": {
            "transport": "udp", "packetBytes": 32, "packets": 20, "warmUpPackets": 0,
            "pace": {"mode": "flood", "intervalNs": 0, "burst": 1},
            "traffic": {"kind": "one-way", "inFlight": 1, "replyTimeout": "PT1S", "transfer": None},
            "settings": {"receive-buffer": "auto"},
            "program": {"engine": "java", "settings": {}, "jvmOptions": "default"},
            "observe": [], "conditions": {"drain": "PT0.2S", "stallTimeout": "PT1S"},
        },
        "repeat": 1,
        "stream": None,
    },
    "maximumClockError": "PT0.001S",
    "maximumOtherLoadPpm": 100_000,
    "waitForClock": "PT0S",
    "acceptsUnsynchronized": True,
}  # fmt: skip

_MESSAGES: list[Message] = [
    {"type": "hello", "protocol": 1, "nonce": "a1" * 32, "keyNeeded": False},
    {"type": "introduction", "protocol": 1, "nonce": "b2" * 32},
    {"type": "welcome", "proofs": []},
    {"type": "proof", "proof": "c3" * 32},
    {
        "type": "offer", "run": _REQUEST["run"], "leadInPackets": 0, "leadOutPackets": 0, "nonce": "e5" * 16,
        "announced": {},
    },
    {"type": "accepted", "announced": {"port": "9"}, "captureFile": "/nonexistent/rogue/receiver.npy"},
    {"type": "connected"},
    {"type": "alive"},
    {"type": "watch"},
    {"type": "begin"},
    {"type": "begun"},
    {
        "type": "interval",
        "received": {
            "durationNs": 1_000_000_000, "received": 20, "expected": 20, "lost": 0, "late": 0, "last": False,
            "stamps": [],
        },
    },
    {"type": "done", "sent": 5},
    {
        "type": "counted",
        "counts": {
            "received": 20, "distinct": 20, "duplicated": 0, "reordered": 0, "foreign": 0, "unrecorded": 0,
            "kernelDrops": 0, "windows": None,
        },
        "side": {
            "host": "rogue", "bootId": "0b6cdb2c-0000-4000-8000-000000000001", "java": "17.0.1",
            "metadata": {"directory": "/nonexistent/rogue", "warmUpReceived": 0, "receiveBufferBytes": 212_992},
        },
        "captureRecords": 20,
        "clockSteps": [{"atNs": _NOW_NS, "sizeNs": 1_000}],
        "load": [_LOAD],
        "files": ["receiver.npy"],
    },
    {"type": "fetch", "file": "receiver.npy"},
    {"type": "capture", "bytes": 0, "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"type": "refused", "reason": "BUSY", "text": "The receiver is busy with another run."},
    {"type": "ping", "sentNs": _NOW_NS},
    {"type": "pong", "sentNs": _NOW_NS, "receivedNs": _NOW_NS, "repliedNs": _NOW_NS},
    {"type": "ask", "question": "CLOCK"},
    {
        "type": "clock-is",
        "state": {
            "atNs": _NOW_NS, "bootId": "0b6cdb2c-0000-4000-8000-000000000001", "source": "CHRONY",
            "tracking": _TRACKING, "boundNs": 116_200, "sentence": "chronyd follows 192.0.2.7 (stratum 3).",
        },
    },
    {
        "type": "host-is",
        "host": {
            "lagbench": "1.0", "java": "17.0.1", "bufferLimits": {"net.core.rmem_max": 212_992},
            "dataHost": "127.0.0.1", "tcpPort": 9, "udpPort": 9,
        },
    },
    {"type": "readings-are", "readings": {"realtimeNs": _NOW_NS, "monotonicNs": 1_000_000, "bracketNs": 100}},
    {"type": "open-exchange", "port": 9, "nonce": "c3" * 16},
    {"type": "exchange-opened", "port": -1},
    {"type": "open-sender", "request": _REQUEST},
    {"type": "sender-opened", "port": 9},
    {"type": "recorded", "files": ["sender.npy", "run.json"]},
    {"type": "probe"},
    {"type": "load-is", "load": _LOAD},
    {"type": "observer-is", "refusal": "The kernel refuses it."},
    {"type": "make-run", "receiver": "127.0.0.1:9", "request": _REQUEST},
    {"type": "run-made", "files": ["receiver.npy", "sender.npy", "run.json"]},
]  # fmt: skip

EXAMPLES: dict[str, Message] = {message["type"]: message for message in _MESSAGES}
