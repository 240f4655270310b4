"""The error of a faked clock by the formula of validation/truth/clock/clock_error.h, and its inverse."""

from dataclasses import dataclass

NS_PER_S = 1_000_000_000


@dataclass(frozen=True)
class ClockError:
    """The reading of a clock at each true time (CLOCK_REALTIME of the kernel, ns since 1970)."""

    zero_ns: int = 0
    offset_ns: int = 0
    rate_ppb: int = 0
    step_ns: int = 0
    step_after_ns: int = 0

    @property
    def text(self) -> str:
        """Returns the value of LAGBENCH_CLOCK for this error."""
        return (
            f"zero={self.zero_ns},offset={self.offset_ns},rate={self.rate_ppb},step={self.step_ns}@{self.step_after_ns}"
        )

    @property
    def step_at_ns(self) -> int:
        return self.zero_ns + self.step_after_ns

    def shown_ns(self, true_ns: int) -> int:
        """Returns the clock's reading at a true time."""
        stepped_ns = self.step_ns if true_ns >= self.step_at_ns else 0
        return self._unstepped_ns(true_ns) + stepped_ns

    def true_ns(self, shown_ns: int) -> int | None:
        """
        Returns the true time of a reading; of two adjacent ones the later. None if a backward step repeated the reading
        or a forward step skipped it.
        """
        before_ns = self._invert_unstepped(shown_ns)
        if self.step_ns == 0:
            return before_ns
        after_ns = self._invert_unstepped(shown_ns - self.step_ns)
        is_before = before_ns < self.step_at_ns
        is_after = after_ns >= self.step_at_ns
        if is_before == is_after:
            return None
        return before_ns if is_before else after_ns

    def _unstepped_ns(self, true_ns: int) -> int:
        return true_ns + self.offset_ns + (true_ns - self.zero_ns) * self.rate_ppb // NS_PER_S

    def _invert_unstepped(self, shown_ns: int) -> int:
        since_zero_ns = shown_ns - self.offset_ns - self.zero_ns
        true_ns = self.zero_ns + since_zero_ns * NS_PER_S // (NS_PER_S + self.rate_ppb)
        while self._unstepped_ns(true_ns + 1) <= shown_ns:
            true_ns += 1
        while self._unstepped_ns(true_ns) > shown_ns:
            true_ns -= 1
        return true_ns
