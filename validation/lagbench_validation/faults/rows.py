"""The table of faults of programs, peers and networks."""

import sys
from signal import SIGHUP, SIGINT, SIGKILL, SIGTERM

from lagbench_validation.faults import actions, container, path, strangers
from lagbench_validation.faults.actions import (
    BUS,
    ENGINE_RECEIVES,
    ENGINE_SENDS,
    RECEIVER,
    RELAY,
    RUNNER,
    SENDER,
    SERVING,
    kill,
    kill_after,
    pause,
    send,
    shell,
    stop,
)
from lagbench_validation.faults.actions import (
    SERVE as SERVES,
)
from lagbench_validation.faults.peers import (
    BLACK_HOLE,
    BOTH,
    HOST,
    KEYED,
    LOCAL,
    NO_NEIGHBOR,
    NO_PEER,
    NO_ROUTE,
    NOBODY,
    ON_PATH,
    OTHER_VERSION,
    RANDOM,
    RESETS,
    REVERSE,
    SERVE,
    SHARED_KEY,
    SILENT,
    TEXT,
    TRICKLE,
)  # fmt: skip
from lagbench_validation.faults.peers import (
    BUS as ON_BUS,
)
from lagbench_validation.faults.row import Row

_BOTH_KEPT = (19, 20)  # the sender stamps a packet when its call returns, after the receiver may have stamped it
_RESUME = ".*To make the others: lagbench sweep --resume"
_SENDER_KILLED = f"The sender ended by signal 9: .*{_RESUME}"
_RECEIVER_KILLED = f"(The receiver .* ended during the run|receiver.* signal 9).*{_RESUME}"
_ENGINE_KILLED = f"lagbench-engine ended during the run, by signal 9.*{_RESUME}"
_SILENT = f"has been silent for .* s: it was stopped, or the network to it fails.*{_RESUME}"
_NET = "printf 'name: net\\nrate: 20mbit\\ndelay: 1ms\\n' >net.yaml"
_NEXT = "lagbench run {transport} {address} --packets 100 --output results/next"
_UNANSWERED = r"No receiver answers at {}:5394 \(.*\); start"

# fmt: off
_KILLS = [
    Row("kill -9 of the sender", "udp", "one-way", LOCAL, (6,), _SENDER_KILLED, kill(SENDER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the sender", "tcp", "round-trip", LOCAL, (6,), _SENDER_KILLED, kill(SENDER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the sender", "ieee1394", "one-way", LOCAL, (6,), _SENDER_KILLED, kill(SENDER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the sender", "tcp", "transfer", LOCAL, (6,), _SENDER_KILLED, kill(SENDER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the sender", "tcp", "flood", LOCAL, (6,), _SENDER_KILLED, kill(SENDER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the sender, causes", "tcp", "one-way", LOCAL, (6,), _SENDER_KILLED, kill(SENDER), "receiver",
        options="--observe events", state="BROKEN", keeps=_BOTH_KEPT, then=_NEXT + " --observe events"),
    Row("kill -9 of the receiver", "udp", "one-way", LOCAL, (6,), _RECEIVER_KILLED, kill(RECEIVER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the receiver", "tcp", "one-way", LOCAL, (6,), _RECEIVER_KILLED, kill(RECEIVER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the receiver", "ieee1394", "round-trip", LOCAL, (6,), _RECEIVER_KILLED, kill(RECEIVER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the receiver", "tcp", "transfer", LOCAL, (6,), _RECEIVER_KILLED, kill(RECEIVER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the sending C engine", "udp", "one-way", LOCAL, (6,), _ENGINE_KILLED, kill(ENGINE_SENDS),
        "receiver",
        options="--engine c", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the sending C engine", "tcp", "round-trip", LOCAL, (6,), _ENGINE_KILLED, kill(ENGINE_SENDS),
        "receiver", options="--engine c", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the receiving C engine", "tcp", "one-way", LOCAL, (6,), _ENGINE_KILLED, kill(ENGINE_RECEIVES),
        "receiver", options="--engine c", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the receiving C engine", "udp", "one-way", SERVE, (6,), _ENGINE_KILLED, kill(ENGINE_RECEIVES),
        "receiver", options="--engine c", state="BROKEN", keeps=_BOTH_KEPT, then=_NEXT),
    Row("kill -9 of the C engine of onc-rpc", "tcp", "one-way", LOCAL, (6,), "lagbench-onc-rpc ended.*signal 9",
        kill("lagbench-onc-rpc send"), "receiver", options="--engine onc-rpc", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the sender of aeron", "udp", "one-way", LOCAL, (6,), _SENDER_KILLED, kill(SENDER), "receiver",
        options="--engine aeron", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the receiver of aeron", "udp", "one-way", LOCAL, (6,), _RECEIVER_KILLED, kill(RECEIVER), "receiver",
        options="--engine aeron", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the sender of quic", "udp", "one-way", LOCAL, (6,), _SENDER_KILLED, kill(SENDER), "receiver",
        options="--engine quic", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the receiver of rmi", "tcp", "round-trip", LOCAL, (6,), _RECEIVER_KILLED, kill(RECEIVER),
        "receiver",
        options="--engine rmi", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of run", "udp", "one-way", LOCAL, (-SIGKILL,), "", kill(RUNNER), "receiver", keeps=_BOTH_KEPT),
    Row("kill -9 of run", "tcp", "transfer", LOCAL, (-SIGKILL,), "", kill(RUNNER), "receiver", keeps=_BOTH_KEPT),
    Row("kill -9 of run", "ieee1394", "one-way", LOCAL, (-SIGKILL,), "", kill(RUNNER), "receiver", keeps=_BOTH_KEPT),
    Row("kill -9 of run, C engine", "udp", "one-way", LOCAL, (-SIGKILL,), "", kill(RUNNER), "receiver",
        options="--engine c", keeps=_BOTH_KEPT),
    Row("kill -9 of run", "tcp", "one-way", REVERSE, (-SIGKILL,), "", kill(RUNNER), "receiver", keeps=_BOTH_KEPT,
        then=_NEXT),
    Row("kill -9 of all of a run", "udp", "one-way", LOCAL, (-SIGKILL,), "", kill(RUNNER, SENDER, RECEIVER), "receiver",
        keeps=_BOTH_KEPT),
    Row("kill -9 of serve", "udp", "one-way", SERVE, (6,), f"receiver ended because its parent process died.*{_RESUME}",
        kill(SERVES), "receiver", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of serve", "tcp", "one-way", REVERSE, (6,), f"its parent process died.*{_RESUME}",
        kill(SERVES), "receiver", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the receiver of serve", "udp", "one-way", SERVE, (6,), _RECEIVER_KILLED,
        kill(SERVING), "receiver", state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the receiver of serve", "tcp", "one-way", REVERSE, (6,),
        f"sender ended because its parent process died.*{_RESUME}", kill(SERVING), "receiver", state="BROKEN",
        keeps=_BOTH_KEPT),
    Row("kill -9 of the receiver of serve", "udp", "one-way", BOTH, (3, 6), "ended|closed|silent",
        kill(SERVING),
        "receiver", keeps=_BOTH_KEPT),
    Row("kill -9 of the bus daemon", "ieee1394", "one-way", LOCAL, (6,), f"bus.*{_RESUME}", kill(BUS), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of a sender on a bus that remains", "ieee1394", "one-way", ON_BUS, (6,), _SENDER_KILLED, kill(SENDER),
        "receiver", options="--channel 5", state="BROKEN", keeps=_BOTH_KEPT, then=_NEXT + " --channel 5"),
    Row("kill -9 of the relay", "udp", "one-way", LOCAL, (6,), f"relay does not answer.*{_RESUME}", kill(RELAY),
        "receiver", options="--lab ./net.yaml", setup=_NET, state="BROKEN", keeps=_BOTH_KEPT),
    Row("kill -9 of the relay, run after it", "udp", "short", LOCAL, (6,), f"relay does not answer.*{_RESUME}",
        kill(RELAY), "receiver", options="--lab ./net.yaml --repeats 2", setup=_NET, state="COMPLETE",
        keeps=(1500, 1500)),
    Row("kill -9 of run in a lab", "tcp", "one-way", LOCAL, (-SIGKILL,), "", kill(RUNNER), "receiver",
        options="--lab ./net.yaml", setup=_NET, keeps=_BOTH_KEPT,
        leaves="namespace lagbench-lab|lab ", then="lagbench lab show"),
]

# What they have left, the next run removes.
_FIRST_SECOND = [
    Row(f"kill -9 of all of {engine}, {after_s} s after its start", "udp", "one-way", LOCAL, (-SIGKILL,), "",
        kill_after(after_s, RUNNER, SENDER, RECEIVER), options=f"--engine {engine}", then=f"{_NEXT} --engine {engine}")
    for engine in ("aeron", "quic")
    for after_s in (0.1, 0.3, 0.5, 0.7, 0.9)
] + [
    Row(f"kill -9 of all of aeron, {after_s} s after its shared memory", "udp", "one-way", LOCAL, (-SIGKILL,), "",
        kill_after(after_s, RUNNER, SENDER, RECEIVER, since=actions.has_shared_memory), options="--engine aeron",
        then=f"{_NEXT} --engine aeron")
    for after_s in (0, 0.02, 0.1)
] + [
    Row("kill -9 of all of a run and of the bus", "ieee1394", "one-way", LOCAL, (-SIGKILL,), "",
        kill(RUNNER, SENDER, RECEIVER, BUS), "receiver", then=_NEXT),
]

_SIGNALS = [
    Row("SIGINT of run", "udp", "one-way", SERVE, (130,), _RESUME, send(SIGINT, RUNNER), "receiver",
        state="INTERRUPTED", keeps=_BOTH_KEPT, then=_NEXT),
    Row("SIGTERM of run", "tcp", "round-trip", LOCAL, (130,), _RESUME, send(SIGTERM, RUNNER), "receiver",
        state="INTERRUPTED", keeps=_BOTH_KEPT),
    Row("SIGHUP of run", "ieee1394", "one-way", LOCAL, (130,), _RESUME, send(SIGHUP, RUNNER), "receiver",
        state="INTERRUPTED", keeps=_BOTH_KEPT),
    Row("SIGTERM of run, C engine", "udp", "flood", LOCAL, (130,), _RESUME, send(SIGTERM, RUNNER), "receiver",
        options="--engine c", state="INTERRUPTED", keeps=_BOTH_KEPT),
    Row("SIGTERM of the sender", "udp", "one-way", LOCAL, (130,), "interrupted", send(SIGTERM, SENDER), "receiver",
        state="INTERRUPTED", keeps=_BOTH_KEPT),
    Row("SIGTERM of the receiver", "tcp", "transfer", LOCAL, (130,), "interrupted", send(SIGTERM, RECEIVER), "receiver",
        state="INTERRUPTED", keeps=_BOTH_KEPT),
    Row("SIGINT of serve", "tcp", "one-way", SERVE, (130,), "interrupted", send(SIGINT, SERVES), "receiver",
        state="INTERRUPTED", keeps=_BOTH_KEPT),
    Row("SIGTERM of serve", "udp", "one-way", REVERSE, (130,), "interrupted", send(SIGTERM, SERVES), "receiver",
        state="INTERRUPTED", keeps=_BOTH_KEPT),
    Row("SIGTERM of the bus daemon", "ieee1394", "one-way", LOCAL, (6,), f"bus.*{_RESUME}", send(SIGTERM, BUS),
        "receiver", state="BROKEN", keeps=_BOTH_KEPT),
    Row("SIGSTOP of the sender", "udp", "one-way", LOCAL, (6,), "stopped for more than 22 s.*was killed", stop(SENDER),
        "receiver", state="BROKEN", keeps=_BOTH_KEPT),
    Row("SIGSTOP of the receiver", "tcp", "one-way", LOCAL, (6,), _SILENT, stop(RECEIVER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("SIGSTOP of the receiver", "ieee1394", "one-way", LOCAL, (6,), _SILENT, stop(RECEIVER), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("SIGSTOP of both", "tcp", "transfer", LOCAL, (6,), "stopped for more than 22 s.*was killed",
        stop(SENDER, RECEIVER), "receiver", keeps=_BOTH_KEPT),
    Row("SIGSTOP of the sending C engine", "tcp", "one-way", LOCAL, (6,), "No packet could be sent for 2.0 s",
        stop(ENGINE_SENDS), "receiver", options="--engine c", state="BROKEN", keeps=_BOTH_KEPT),
    Row("SIGSTOP of the receiving C engine", "tcp", "flood", LOCAL, (6,), "No packet could be sent for 2.0 s",
        stop(ENGINE_RECEIVES), "receiver", options="--engine c", state="BROKEN", keeps=_BOTH_KEPT),
    Row("SIGSTOP of serve", "udp", "one-way", SERVE, (6,), _SILENT, stop(SERVES, SERVING), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("SIGSTOP of the bus daemon", "ieee1394", "one-way", LOCAL, (6,), f"(bus|No packet).*{_RESUME}", stop(BUS),
        "receiver", state="BROKEN", keeps=_BOTH_KEPT),
    Row("pause of run", "udp", "short", LOCAL, (0,), "", pause(RUNNER, 3), "receiver", state="COMPLETE",
        keeps=(1500, 1500)),
    Row("pause of the sender", "tcp", "short", LOCAL, (0,), "", pause(SENDER, 1), "receiver", state="COMPLETE",
        keeps=(1500, 1500)),
    Row("pause of the receiver", "ieee1394", "short", LOCAL, (0,), "", pause(RECEIVER, 0.2), "receiver",
        state="COMPLETE", keeps=(1500, 1500)),
    Row("bus resets", "ieee1394", "short", LOCAL, (0,), "", actions.bus_resets, "receiver", state="COMPLETE",
        keeps=(1500, 1000)),
    Row("SIGTERM of an early monitor", "–", "–", NO_PEER, (130,), "", actions.interrupt_early,
        command="lagbench monitor --output results --for 60s m.yaml",
        setup="echo 'monitor: {every: 1s}' >m.yaml"),
]

_UNREACHABLE = [
    Row("refused port", "udp", "one-way", NOBODY, (3,), _UNANSWERED.format("127.0.0.1")),
    Row("refused port, clock", "–", "–", NOBODY, (3,), _UNANSWERED.format("127.0.0.1"),
        command="lagbench clock {address} --count 1"),
    Row("black hole", "tcp", "one-way", BLACK_HOLE, (3,), _UNANSWERED.format("192.0.2.7")),
    Row("no neighbor", "udp", "one-way", NO_NEIGHBOR, (3,), _UNANSWERED.format("192.0.2.7")),
    Row("no route", "tcp", "round-trip", NO_ROUTE, (3,), r"No receiver answers .*; this host has no route"),
    Row("no route, doctor", "–", "–", NO_ROUTE, (0, 3, 5), "unreachable", command="lagbench doctor {address}"),
    Row("unknown host", "udp", "one-way", NO_PEER, (3,), 'The host "nobody.invalid" is unknown',
        command="lagbench run udp nobody.invalid {traffic}"),
    Row("text on the port", "udp", "one-way", TEXT, (3,), "127.0.0.1:5394.*lagbench"),
    Row("text on the port, doctor", "–", "–", TEXT, (0, 3, 5), "127.0.0.1:5394|lagbench",
        command="lagbench doctor {address}"),
    Row("random bytes on the port", "tcp", "one-way", RANDOM, (3,), "127.0.0.1:5394"),
    Row("silent port", "tcp", "one-way", SILENT, (3,), "127.0.0.1:5394"),
    Row("slow bytes on the port", "udp", "one-way", TRICKLE, (3,), "127.0.0.1:5394"),
    Row("resets of the port", "udp", "one-way", RESETS, (3,), "127.0.0.1:5394"),
    Row("receiver of another version", "udp", "one-way", OTHER_VERSION, (3,), "version"),
    Row("wrong key", "udp", "one-way", KEYED, (4,), "key", options="--key-file here.key",
        then=_NEXT + " --key-file there.key"),
    Row("no key", "tcp", "one-way", KEYED, (4,), "key"),
    Row("key that others can read", "udp", "one-way", KEYED, (4,), "here.key.*chmod", options="--key-file here.key",
        setup="chmod 644 here.key"),
    Row("no key file", "udp", "one-way", KEYED, (4,), "none.key", options="--key-file none.key"),
    Row("serve for all without a key", "–", "–", NO_PEER, (4,), "0.0.0.0.* key",
        command="lagbench serve --listen 0.0.0.0"),
    Row("port in use", "–", "–", SILENT, (5,), "cannot listen on 127.0.0.1:5394",
        command="lagbench serve --directory r --listen 127.0.0.1"),
    Row("port of the live page in use", "udp", "one-way", SILENT, (2, 5), "5394", options="--live=5394",
        command="lagbench run {transport} {traffic} {options}"),
    Row("garbage on the control port", "udp", "short", SERVE, (0,), "", actions.garbage_to_control_port, "receiver",
        state="COMPLETE", keeps=(1500, 1500)),
    Row("200 idle connections", "tcp", "short", SERVE, (0,), "", actions.idle_connections, "receiver",
        state="COMPLETE", keeps=(1500, 1500), then=_NEXT),
    Row("garbage on the data ports", "udp", "short", LOCAL, (0,), "", actions.garbage_to_data_ports, "receiver",
        state="COMPLETE", keeps=(1500, 1500)),
    Row("200 unfinished requests to the live page", "udp", "short", LOCAL, (0,), "", actions.unfinished_requests,
        "receiver", options="--live=0", state="COMPLETE", keeps=(1500, 1500)),
    Row("a file of the serving host", "tcp", "–", REVERSE, (2, 3), "data", command="lagbench run {transport} {address}"
        " --traffic transfer --codec none --data /etc/hostname --size 1024 --transfer-bytes 64KiB"),
    Row("clocks out of bounds", "udp", "–", HOST, (8,), "clock bound",
        command="lagbench run {transport} {address} --packets 100 --output results --clock.max-error 1ns"),
    Row("SNMP agent that answers text", "tcp", "transfer", LOCAL, (5, 6), "SNMP|agent", actions.text_agent(1161),
        options="--codec paper-snmp", prefix="env LAGBENCH_BOTTLENECK=device=lo,rate=1000000,agent=127.0.0.1:1161"),
    Row("no SNMP agent", "tcp", "transfer", LOCAL, (5, 6), "127.0.0.1.*1161", options="--codec paper-snmp",
        prefix="env LAGBENCH_BOTTLENECK=device=lo,rate=1000000,agent=127.0.0.1:1161"),
]

_STRANGERS = [
    Row(f"{strangers.COUNT} {act.__name__} strangers of {addresses}", transport, "short", SHARED_KEY, (0,), "",
        strangers.crowd(act, addresses), state="COMPLETE", keeps=(1500, 1500), then=_NEXT)
    for addresses, transport in ((1, "udp"), (50, "tcp"))
    for act in (strangers.silent, strangers.slow, strangers.garbage, strangers.introduced)
]

_NETWORK = [
    Row("link down", "udp", "one-way", HOST, (6,), _SILENT, shell("ip link set d0 down"), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
    Row("link down", "tcp", "one-way", HOST, (6,), f"(silent|No packet).*{_RESUME}", shell("ip link set d0 down"),
        "receiver", state="BROKEN", keeps=_BOTH_KEPT),
    Row("link down", "tcp", "round-trip", HOST, (6,), f"(silent|No packet).*{_RESUME}", shell("ip link set d0 down"),
        "receiver", state="BROKEN", keeps=_BOTH_KEPT),
    Row("link of the peer down, C engine", "tcp", "one-way", HOST, (6,), f"(silent|No packet).*{_RESUME}",
        shell("ip -n there link set d0 down"), "receiver", options="--engine c", state="BROKEN", keeps=_BOTH_KEPT),
    Row("address removed", "udp", "one-way", HOST, (6,), f"192.0.2.7|silent.*{_RESUME}",
        shell("ip address flush dev d0"), "receiver", state="BROKEN", keeps=_BOTH_KEPT),
    Row("link down for 1 s", "tcp", "short", HOST, (0,), "",
        shell("ip link set d0 down; sleep 1; ip link set d0 up"), "receiver", state="COMPLETE", keeps=(1500, 1500)),
    Row("link down for 1 s", "udp", "short", HOST, (0,), "",
        shell("ip link set d0 down; sleep 1; ip link set d0 up"), "receiver", state="COMPLETE", keeps=(1500, 100)),
    Row("network of the host removed", "tcp", "transfer", HOST, (6,), _RESUME, shell("ip link delete d0"), "receiver",
        state="BROKEN", keeps=_BOTH_KEPT),
]
_AUTHOR = (
    "mkdir -p author/runs; printf 'name: author\\nseed: 1\\ntransports: tcp\\ntraffic: transfer\\ncodec: none\\n"
    "receiver: 127.0.0.1:9\\ndata: /etc/hostname\\n' >author/experiment.yaml"
)
_NEIGHBOR = [
    Row("handshakes of another user", "udp", "short", LOCAL, (0,), "", actions.handshakes_of_neighbor, "receiver",
        state="COMPLETE", keeps=(1500, 1500)),
    Row("live page for another user", "udp", "short", LOCAL, (0,), "", actions.page_of_neighbor, "receiver",
        options="--live=0", state="COMPLETE", keeps=(1500, 1500)),
    Row("session that names a file", "–", "–", NO_PEER, (2,), "uses /etc/hostname .*127.0.0.1:9.*--allow-file",
        command="lagbench sweep --resume author", setup=_AUTHOR),
    Row("session with a pipe", "–", "–", NO_PEER, (7,), "pipe", command="lagbench table author",
        setup=f"{_AUTHOR}; mkfifo author/summary.json"),
]

_PATH = [
    Row("repeated datagrams", "udp", "short", ON_PATH, (0,), "", path.forward(path.repeat), state="COMPLETE"),
    Row("delayed datagrams", "udp", "short", ON_PATH, (0,), "", path.forward(path.delay), state="COMPLETE",
        keeps=(1500, 1500)),
    Row("forged datagrams", "udp", "short", ON_PATH, (0,), "", path.forward(path.forge_packets), state="COMPLETE",
        keeps=(1500, 1500)),
    Row("changed messages", "udp", "short", ON_PATH, (3, 6), "HMAC|connection", path.forward(path.forge_messages)),
    Row("forged source", "udp", "round-trip", HOST, (0,), "", path.send_by_forged_source, "receiver", state="COMPLETE",
        setup="ip -n there neighbor add 192.0.2.99 lladdr 02:00:00:00:00:63 dev d0"),
]

_IN_CONTAINER = f"{sys.executable} -B {container.__file__}"
_LEDGER = "lagbench table --view ledger"
_STOPPED = r"Process stopped +receiver"  # the cause that the fault makes; each kind of container lets a program see it
_CONTAINERS = [
    Row("CPU quota", "udp", "–", LOCAL, (0,), r"CPU quota of the \w+'s control group, 0.50 CPUs", state="COMPLETE",
        command="lagbench run udp --packets 1500 --packet-bytes 100 --warm-up-packets 50 --mode spin --interval 1ms"
        " --observe events --no-report --output results", prefix=f"{_IN_CONTAINER} quota", then=_LEDGER,
        shows=r"CPU quota +(sender|receiver)"),
    Row("no capabilities", "udp", "short", LOCAL, (0,), "", pause(RECEIVER, 0.3), "receiver",
        options="--observe events", prefix="setpriv --bounding-set=-all --inh-caps=-all", state="COMPLETE",
        then=_LEDGER, shows=_STOPPED),
    Row("seccomp of Docker", "udp", "short", LOCAL, (0,), "", pause(RECEIVER, 0.3), "receiver",
        options="--observe events", prefix=f"{_IN_CONTAINER} seccomp", state="COMPLETE", then=_LEDGER, shows=_STOPPED),
    Row("time namespace", "udp", "short", LOCAL, (0,), "", pause(RECEIVER, 0.3), "receiver",
        options="--observe events", prefix="unshare --time --monotonic 1000000 --fork", state="COMPLETE", then=_LEDGER,
        shows=_STOPPED),
]
# fmt: on

ROWS = [*_KILLS, *_FIRST_SECOND, *_SIGNALS, *_UNREACHABLE, *_STRANGERS, *_NETWORK, *_NEIGHBOR, *_PATH, *_CONTAINERS]
