package org.lagbench.cli.doctor;

import java.io.IOException;
import java.util.Set;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.ClockStates;
import org.lagbench.core.clock.TimerSlack;
import org.lagbench.runner.machine.Machine;

/** Checks the clock source, the timer slack and chronyd. */
final class Clocks {
    /** Clock sources on a slow device: a read takes a microsecond or more. */
    private static final Set<String> SLOW_SOURCES = Set.of("hpet", "acpi_pm", "jiffies", "refined-jiffies", "xen");

    private Clocks() {}

    static Finding source() {
        String source = Machine.clockSource();
        return SLOW_SOURCES.contains(source)
                ? Finding.warn(
                        "Clock source",
                        source + ": each stamp takes a microsecond or more",
                        "See /sys/devices/system/clocksource/clocksource0/available_clocksource for a faster one.")
                : Finding.ok("Clock source", source);
    }

    /** Checks that a thread may reduce its timer slack: by default the kernel lets it sleep 50 µs longer. */
    static Finding timerSlack() {
        try {
            long beforeNs = TimerSlack.currentNs();
            TimerSlack.setNs(TimerSlack.MINIMUM_NS);
            TimerSlack.setNs(Math.max(TimerSlack.MINIMUM_NS, beforeNs));
            return Finding.ok("Timer slack", "can be set to 1 ns (default: " + beforeNs + " ns)");
        } catch (IOException e) {
            return Finding.warn(
                    "Timer slack",
                    "cannot be set to 1 ns: " + e.getMessage(),
                    "The pace mode sleep is about 70 µs late: use spin or hybrid.");
        }
    }

    static Finding chrony(ChronyClient chrony) {
        return chrony("chrony", ClockStates.ask(chrony));
    }

    static Finding chrony(String subject, ClockState state) {
        return switch (state.source()) {
            case CHRONY -> Finding.ok(subject, state.sentence());
            case NO_DAEMON -> Finding.ok(subject, "not running; needed only between two hosts, on both");
            case UNSYNCHRONIZED, OTHER_DAEMON, FORBIDDEN ->
                Finding.warn(subject, state.sentence(), "Needed only between two hosts.");
        };
    }
}
