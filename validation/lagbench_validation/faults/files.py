"""The table of faults of disks, files, limits and installations."""

from lagbench_validation.faults.actions import fill, second
from lagbench_validation.faults.peers import HOST, LOCAL, NO_PEER, REVERSE, SERVE
from lagbench_validation.faults.row import Row

_BOTH_KEPT = (20, 20)
_NOBODY = "setpriv --reuid 65534 --regid 65534 --clear-groups"
_LINK = "cannot be used: it is a link, a pipe or a device"
_SESSION = (
    "$SCRIPTS/lagbench run udp --packets 20 --warm-up-packets 0 --output results --no-report;"
    " mv results/run-* results/s;"
)
_RUN = "results/s/runs/0001-udp-992-r1"

# fmt: off
_DISKS = [
    Row("disk full at the start", "udp", "one-way", LOCAL, (7,), "results .* has room for 0.[01] MB. Make room",
        setup="mount -t tmpfs -o size=64k none results"),
    Row("disk of serve full at the start", "udp", "one-way", SERVE, (7,),
        "On the receiver: .*npy: it needs .*room for 65536; make room",
        setup="mkdir received; mount -t tmpfs -o size=64k none received"),
    Row("no inodes at the start", "tcp", "one-way", LOCAL, (7,), "results",
        setup="mount -t tmpfs -o nr_inodes=6 none results"),
    Row("disk full in mid-run, small captures", "udp", "short", LOCAL, (0, 7), "", fill("results"), "receiver",
        setup="mount -t tmpfs -o size=2m none results", options="--observe events", state="COMPLETE", keeps=(1500,
        1500)),
    Row("disk full in mid-run, captures grow", "udp", "flood", LOCAL, (6, 7), "npy.*(No space left|full)",
        fill("results"),
        "receiver", setup="mount -t tmpfs -o size=460m none results", state="BROKEN", keeps=_BOTH_KEPT),
    Row("disk full in mid-run, captures of C grow", "tcp", "flood", LOCAL, (6, 7), "npy.*(No space left|full)",
        fill("results"), "receiver", setup="mount -t tmpfs -o size=460m none results", options="--engine c",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("disk of serve full in mid-run", "tcp", "flood", SERVE, (6, 7), "(No space left|full)", fill("received"),
        "receiver",
        setup="mkdir received; mount -t tmpfs -o size=170m none received", state="BROKEN", keeps=_BOTH_KEPT),
    Row("ext4 full in mid-run", "tcp", "flood", LOCAL, (6, 7), "npy.*(No space left|full)", fill("results"), "receiver",
        setup="truncate -s 500M disk; mkfs.ext4 -q disk; mount -o loop disk results", state="BROKEN", keeps=_BOTH_KEPT),
    Row("files limited to 100 kB", "udp", "one-way", LOCAL, (6, 7), "npy", prefix="prlimit --fsize=100000"),
    Row("read-only disk", "udp", "one-way", LOCAL, (7,), "results.*[Rr]ead-only",
        setup="mount -t tmpfs -o ro none results"),
    Row("read-only disk of serve", "tcp", "one-way", SERVE, (7,), "[Rr]ead-only",
        setup="mkdir received; mount -t tmpfs -o ro none received"),
    Row("directory of another user", "udp", "one-way", LOCAL, (7,), "results.*permission", setup="chmod 755 results",
        prefix=_NOBODY),
    Row("results is a file", "udp", "one-way", LOCAL, (7,), "results", setup="rmdir results; touch results"),
    Row("capture truncated in mid-run", "udp", "one-way", LOCAL, (6,), "receiver.npy.*truncated",
        lambda stage: stage.shell("truncate -s 256 results/*/runs/*/receiver.npy"), "receiver", state="BROKEN"),
    Row("session deleted in mid-run", "udp", "short", LOCAL, (6, 7), "results",
        lambda stage: stage.shell("rm -r results/*"), "receiver"),
    Row("session in use", "udp", "short", LOCAL, (0,), "",
        second("lagbench sweep --resume {session}", 5, "Another lagbench uses .*results"), "receiver", state="COMPLETE",
        keeps=(1500, 1500)),
]

_INPUT = [
    Row(f"{what}", "–", "–", NO_PEER, (code,), says, command="lagbench sweep e.yaml --output results", setup=setup)
    for what, code, says, setup in (
        ("YAML syntax", 2, r"e.yaml:2:1: ", "echo 'packets: [1, 2' >e.yaml"),
        ("unknown key", 2, r"e.yaml:1:1: pakets: there is no such key; did you mean packets",
         "echo 'pakets: 1' >e.yaml"),
        ("number without a unit", 2, r"e.yaml:1:18: pace.interval: 20 is not accepted; it takes",
         "echo 'pace: {interval: 20}' >e.yaml"),
        ("empty experiment", 2, "e.yaml: the file is empty; write", "touch e.yaml"),
        ("random experiment", 2, "e.yaml", "head -c 100000 /dev/urandom >e.yaml"),
        ("deep experiment", 2, "e.yaml:1:",
         "printf 'packets: ' >e.yaml; head -c 100000 /dev/zero | tr '\\0' '[' >>e.yaml"),
        ("no experiment", 7, "e.yaml.* there is no such file", "true"),
        ("directory as experiment", 7, "e.yaml", "mkdir e.yaml"),
        ("pipe as experiment", 7, "e.yaml", "mkfifo e.yaml"),
        ("device as experiment", 7, "e.yaml", "ln -s /dev/zero e.yaml"),
    )
] + [
    Row(f"{what} as {file.rpartition('/')[2]} of a session", "–", "–", NO_PEER, (7,), f"{file} {_LINK}",
        command=f"lagbench {command} results/s",
        setup=f"{_SESSION} rm -rf results/s/{file}; {make} results/s/{file}")
    for what, command, file, make in (
        ("pipe", "table", "runs/0001-udp-992-r1/run.json", "mkfifo"),
        ("device", "verify", "runs/0001-udp-992-r1/sender.npy", "ln -s /dev/zero"),
        ("link", "figures", "figures", "ln -s ../../t"),
        ("pipe", "sweep --resume", "experiment.yaml", "mkfifo"),
    )
] + [
    Row("escape sequences in run.json", "–", "–", NO_PEER, (0, 7), "", command="lagbench table results/s",
        setup=f"{_SESSION} rm results/s/checksums.json {_RUN}/checksums.json;"
        f" sed -i 's/\"java\"/\"\\\\u001b[31mred\\\\u0007\"/' {_RUN}/run.json"),
    Row("random run.json", "–", "–", NO_PEER, (6, 7), "run.json", command="lagbench table results/s",
        setup=f"{_SESSION} head -c 5000 /dev/urandom >{_RUN}/run.json"),
    Row("damaged capture", "–", "–", NO_PEER, (7,), "receiver.npy", command="lagbench verify results/s",
        setup=f"{_SESSION} printf X | dd of={_RUN}/receiver.npy bs=1 seek=300 conv=notrunc status=none"),
]

_LIMITS = [
    Row("limit of 100 open files", "udp", "one-way", LOCAL, (5,), "open 100 files.* ulimit -n",
        prefix="prlimit --nofile=100:100"),
    Row("limit of 20 open files", "udp", "one-way", LOCAL, (5,), "open 20 files.* ulimit -n",
        prefix="prlimit --nofile=20:20"),
    Row("limit of virtual memory", "udp", "one-way", LOCAL, (5,), "virtual memory.* ulimit -v",
        prefix="prlimit --as=1500000000"),
    Row("heap of 5 MiB", "udp", "one-way", LOCAL, (5,), "(memory|heap).*-Xmx", options="--jvm -Xmx5m"),
    Row("unknown JVM option", "udp", "one-way", LOCAL, (2, 5), "UseNothing", options="--jvm -XX:+UseNothing"),
    Row("JVM options that load code", "udp", "one-way", LOCAL, (2,), "--allow-jvm-options",
        options="--jvm -Dlagbench.packetio=/tmp"),
    Row("no root for a lab", "udp", "one-way", LOCAL, (5,), "root", options="--lab ethernet-10", prefix=_NOBODY),
    Row("no root", "udp", "short", LOCAL, (0,), "", prefix=_NOBODY, state="COMPLETE", keeps=(1500, 1500)),
    Row("no library of the bus", "ieee1394", "one-way", LOCAL, (5,), "does not exist; build it",
        options="--allow-jvm-options --jvm -Dlagbench.native=/nonexistent"),
    Row("one port for both sides", "ieee1394", "one-way", LOCAL, (2, 5), "port",
        options="--sender-port 0 --receiver-port 0"),
    Row("no such port", "ieee1394", "one-way", LOCAL, (5,), "port", options="--sender-port 9"),
    Row("unknown congestion control", "tcp", "one-way", LOCAL, (2,), "no congestion control .nosuch.*It offers reno",
        options="--congestion-control nosuch"),
    Row("unknown congestion control, C engine", "tcp", "one-way", LOCAL, (2,),
        "no congestion control .nosuch.*It offers reno",
        options="--engine c --congestion-control nosuch"),
    Row("datagram larger than the path", "udp", "–", HOST, (0,), "",
        command="lagbench run {transport} {address}"
        " --size 65507 --packets 20 --warm-up-packets 0 --output results --accept-unsynchronized"),
    Row("file of a peer", "tcp", "–", REVERSE, (2, 3), "data",
        command="lagbench run {transport} {address} --traffic transfer"
        " --codec none --data ./none --size 1024 --transfer-bytes 64KiB"),
]
# fmt: on

ROWS = [*_DISKS, *_INPUT, *_LIMITS]
