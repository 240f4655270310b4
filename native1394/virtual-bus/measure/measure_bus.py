"""What the bus daemon costs of the CPU, and how late it is, under streams of 8,000 packets/s each.

Each round makes every measurement once, with a separate bus; the table has the medians over the rounds. Talkers and
listeners are programs of libraw1394 (raw1394_stream). A pair of intervals, as 1:4, is how many packets a talker's and a
listener's interrupt covers; a run of the bench has an interrupt per packet at the talker. The figures are the daemon's
own (lagbench-busd --statistics).
"""

import argparse
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

PACKETS_PER_SECOND = 8000
CHANNEL_FIRST = 1
SETTLE_S = 0.5
LISTENING_S = 20


class Load:
    """What goes over the bus: streams of one kind."""

    def __init__(self, streams, mode):
        self.streams = streams
        self.mode = mode

    def __str__(self):
        if self.streams == 0:
            return "no stream"
        return f"{self.streams} {'paced' if self.mode == 'pace' else 'queued'}"


class Bus:
    """A daemon and the programs on it. Ends them all."""

    def __init__(self, build):
        self.daemon_file = os.path.join(build, "lagbench-busd")
        self.shim = os.path.join(build, "liblagbench_bus_shim.so")
        self.stream = os.path.join(build, "tests", "raw1394_stream")
        self.parent = tempfile.mkdtemp(prefix="lagbench-measure-")
        self.directory = os.path.join(self.parent, "bus")
        self.programs = []
        command = [self.daemon_file, "--foreground", "--end-with-stdin", "--directory", self.directory]
        self.daemon = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.greeting = self.daemon.stdout.readline().strip()
        if not self.greeting:
            raise RuntimeError("the bus did not start")

    def start(self, *arguments):
        environment = dict(os.environ, LD_PRELOAD=self.shim, LAGBENCH_BUS_DIR=self.directory)
        program = subprocess.Popen(
            [self.stream, *map(str, arguments)], env=environment, stdout=subprocess.PIPE, text=True
        )
        self.programs.append(program)
        return program

    def statistics(self):
        text = subprocess.run(
            [self.daemon_file, "--directory", self.directory, "--statistics"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        return {name: int(number) for name, number in (line.split() for line in text.splitlines())}

    def check(self):
        for program in self.programs:
            if program.poll() is not None:
                raise RuntimeError(f"{' '.join(program.args)} ended early, with {program.returncode}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in self.programs:
            program.kill()
        for program in self.programs:
            program.wait()
            program.stdout.close()
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait()
        self.daemon.stdin.close()
        self.daemon.stdout.close()
        shutil.rmtree(self.parent, ignore_errors=True)


def measure(build, intervals, load, seconds, packet_bytes):
    packets = PACKETS_PER_SECOND * (seconds + LISTENING_S)
    talker, listener = intervals
    with Bus(build) as bus:
        # Without a stream there is a listener all the same, and nobody to be heard.
        channels = range(CHANNEL_FIRST, CHANNEL_FIRST + max(load.streams, 1))
        for program in [bus.start("receive", 1, channel, packet_bytes, packets, listener) for channel in channels]:
            if program.stdout.readline() != "listening\n":
                raise RuntimeError("a listener did not begin")
        for channel in channels[: load.streams]:
            bus.start(load.mode, 0, channel, packet_bytes, packets, talker)
        time.sleep(SETTLE_S)
        bus.statistics()
        time.sleep(seconds)
        bus.check()
        return bus.statistics()


def figures(taken):
    seconds = taken["elapsed_ns"] / 1e9
    cpu_ns = taken["user_ns"] + taken["system_ns"]
    packets = taken["packets"]
    cycles = taken["cycles"]
    return {
        "packets/s": packets / seconds,
        "CPU %": cpu_ns / taken["elapsed_ns"] * 100,
        "CPU us/packet": cpu_ns / packets / 1000 if packets else None,
        "wake-ups/s": taken["wakeups"] / seconds,
        "kicks/s": taken["kicks"] / seconds,
        "late/million": taken["late_cycles"] / cycles * 1e6 if cycles else None,
        "p50 us": taken["lateness_p50_ns"] / 1000 if cycles else None,
        "p99 us": taken["lateness_p99_ns"] / 1000 if cycles else None,
        "p99.9 us": taken["lateness_p999_ns"] / 1000 if cycles else None,
    }


def middle(rounds, name):
    values = [made[name] for made in rounds if made[name] is not None]
    return statistics.median(values) if values else None


def spread(rounds, name):
    values = [made[name] for made in rounds if made[name] is not None]
    return f"{min(values):.1f} to {max(values):.1f}" if values else "-"


def shown(value, name):
    if value is None:
        return "-"
    places = 0 if name.endswith("/s") or name == "late/million" else 2 if name == "CPU us/packet" else 1
    return f"{value:,.{places}f}"


def shown_pair(intervals):
    return ":".join(map(str, intervals))


def print_table(headers, rows):
    widths = [max(len(row[i]) for row in [headers, *rows]) for i in range(len(headers))]
    for row in [headers, ["-" * width for width in widths], *rows]:
        print("| " + " | ".join(cell.ljust(w) if i < 3 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))) + " |")


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{model}, {os.cpu_count()} CPUs, Linux {platform.release()}, load {os.getloadavg()[0]:.1f} at the start"


def pairs(text):
    return [tuple(map(int, pair.split(":"))) for pair in text.split(",")]


def numbers(text):
    return [int(number) for number in text.split(",")]


def parse():
    parser = argparse.ArgumentParser(prog="measure-bus", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5, help="of all measurements, interleaved (default: 5)")
    parser.add_argument("--seconds", type=int, default=4, help="length of each measurement (default: 4)")
    parser.add_argument("--bytes", type=int, default=396, help="size of each packet (default: 396)")
    parser.add_argument("--streams", type=numbers, default=[0, 1, 10], help="at the same time (default: 0,1,10)")
    parser.add_argument(
        "--intervals",
        type=pairs,
        default=pairs("1:1,1:4,4:4,16:16,64:64"),
        help="packets per interrupt, talker:listener (default: 1:1,1:4,4:4,16:16,64:64)",
    )
    parser.add_argument("--quick", action="store_true", help="one round of a second each")
    parser.add_argument("--against", metavar="DIR", help="build directory of another version of the bus, to measure both in turn")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds = arguments.seconds = 1
    if min(arguments.rounds, arguments.seconds) < 1 or not 4 <= arguments.bytes <= 4096 or max(arguments.streams) > 30:
        parser.error("at least one round of a second, packets of 4 to 4096 bytes, up to 30 streams")
    return arguments


def main():
    arguments = parse()
    builds = {"this": arguments.build}
    if arguments.against:
        builds["other"] = arguments.against
    loads = [Load(n, mode) for n in arguments.streams for mode in (["send"] if n == 0 else ["send", "pace"])]
    cases = [(build, intervals, load) for load in loads for intervals in arguments.intervals for build in builds]
    facts = machine()
    with Bus(arguments.build) as bus:
        facts += f"; {bus.greeting.split(', ')[-1]}"
    made = {case: [] for case in cases}
    for round_number in range(arguments.rounds):
        for case in cases:
            build, intervals, load = case
            print(f"round {round_number + 1}: {load}, {shown_pair(intervals)}, {build}", file=sys.stderr)
            made[case].append(figures(measure(builds[build], intervals, load, arguments.seconds, arguments.bytes)))
    names = list(next(iter(made.values()))[0])
    print(facts)
    print(
        f"Medians of {arguments.rounds} interleaved rounds of {arguments.seconds} s; {arguments.bytes} bytes a packet."
        " CPU: of one core, user and system.\nAn interrupt is due at the beginning of its cycle. p50, p99, p99.9: how long"
        " after that the last of a cycle's had been sent.\nLate: when the next cycle had begun."
    )
    rows = [
        [shown_pair(intervals), str(load), build]
        + [shown(middle(rounds, name), name) for name in names]
        + [spread(rounds, "CPU %")]
        for (build, intervals, load), rounds in made.items()
    ]
    print_table(["interval", "streams", "build", *names, "CPU % min to max"], rows)


if __name__ == "__main__":
    main()
