package org.lagbench.analysis.cause;

import java.nio.file.Path;
import java.util.List;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The budget of a packet's transmit lag.
 *
 * @param run the name of its run
 */
public record PacketBudget(String run, Budget budget) {
    /**
     * Returns the slowest packets of a run, the slowest first.
     *
     * @param directory the run's directory
     * @param count how many at most
     * @return none if a side did not record causes, or if no packet is above Q99
     */
    public static List<PacketBudget> slowest(String name, Path directory, int count) throws LagbenchException {
        try (JoinedRun run = JoinedRun.open(directory)) {
            return Budget.slowest(directory, run, count).stream()
                    .map(budget -> new PacketBudget(name, budget))
                    .toList();
        }
    }

    /**
     * Returns the budget of one packet.
     *
     * @param directory the run's directory
     * @throws LagbenchException if causes were not recorded, or if the packet did not arrive or is not late
     */
    public static PacketBudget of(String name, Path directory, long packet) throws LagbenchException {
        try (JoinedRun run = JoinedRun.open(directory)) {
            TailScan scan = Budget.scan(directory, run);
            if (scan == null) {
                throw new LagbenchException(
                        ExitCode.USAGE, name + ": causes were not recorded (observe: causes) by both sides.");
            }
            for (long i = 0; i < run.received(); i++) {
                scan.advance(i);
                if (run.packetOf(i) == packet && run.isFirstCopy(i)) {
                    Budget budget = scan.budget();
                    if (budget.excessNs() <= 0) {
                        throw new LagbenchException(
                                ExitCode.USAGE,
                                name + ": packet " + packet + " is not late: its lag is at most the median.");
                    }
                    return new PacketBudget(name, budget);
                }
            }
            throw new LagbenchException(
                    ExitCode.USAGE,
                    name + ": packet " + packet + " did not arrive; the run sent packets 0 to " + (run.sent() - 1)
                            + ".");
        }
    }
}
