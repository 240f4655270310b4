"""Runs a program as in a container: with a CPU quota, or only with the syscalls of Docker's default profile."""

import ctypes
import errno
import os
import struct
import subprocess
import sys
from pathlib import Path

_QUOTA = "50000"
_PERIOD = "100000"
_CGROUP = f"lagbench-faults-{os.getpid()}"

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_LOAD_WORD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06  # BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_RET|K
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
# What Docker's default profile denies without CAP_SYS_ADMIN, by the numbers of x86-64: perf_event_open, bpf,
# syslog, unshare, setns, mount, umount2, pivot_root, keys, modules, clocks, userfaultfd, io_uring, the new mount calls
_DENIED = (
    298, 321, 103, 272, 308, 165, 166, 155, 248, 249, 250, 175, 176, 313, 164, 227, 323, 425, 426, 427, 428, 429,
    430, 431, 432, 163, 167, 168, 169, 170, 172, 173, 179, 212, 246, 300, 304, 320,
)  # fmt: skip


def _deny_calls() -> None:
    if os.uname().machine != "x86_64":
        sys.exit("the filter has the syscall numbers of x86-64")
    rules = [(_LOAD_WORD, 0, 0, 0)]  # struct seccomp_data begins with the number
    rules += [(_JUMP_EQUAL, len(_DENIED) - at, 0, number) for at, number in enumerate(_DENIED)]
    rules += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERRNO | errno.EPERM)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
    program = struct.pack("HxxxxxxQ", len(rules), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, program, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def _cgroup() -> Path:
    """Makes a cgroup with a quota of half a processor, of version 1 or 2."""
    if Path("/sys/fs/cgroup/cgroup.controllers").exists():
        made = Path("/sys/fs/cgroup", _CGROUP)
        made.mkdir()
        (made / "cpu.max").write_text(f"{_QUOTA} {_PERIOD}")
    else:
        made = Path("/sys/fs/cgroup/cpu", _CGROUP)
        made.mkdir()
        (made / "cpu.cfs_period_us").write_text(_PERIOD)
        (made / "cpu.cfs_quota_us").write_text(_QUOTA)
    return made


def _run_under_quota(words: list[str]) -> int:
    cgroup = _cgroup()
    try:
        return subprocess.run(
            words, check=False, preexec_fn=lambda: (cgroup / "cgroup.procs").write_text(str(os.getpid()))
        ).returncode
    finally:
        cgroup.rmdir()


def main() -> int:
    kind, *words = sys.argv[1:]
    if kind == "seccomp":
        _deny_calls()
        os.execvp(words[0], words)
    return _run_under_quota(words)


if __name__ == "__main__":
    sys.exit(main())
