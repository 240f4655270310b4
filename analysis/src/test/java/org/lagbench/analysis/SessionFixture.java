package org.lagbench.analysis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.RunRecord.Clock;
import org.lagbench.core.run.RunRecord.Machine;
import org.lagbench.core.run.SessionId;

/** Writes a session directory with runs of known stamps. */
public final class SessionFixture {
    /** The origin of stamps, so that they are as large as real ones. */
    public static final long EPOCH_NS = 1_790_000_000_000_000_000L;

    private static final String CREATED = "2026-03-14T10:15:00Z";

    private final Path session;

    public SessionFixture(Path session) throws IOException {
        this.session = session;
        Files.createDirectories(session.resolve("runs"));
        Files.writeString(
                session.resolve(SessionId.FILE_NAME),
                "{\"format\": \"lagbench-session-1\", \"id\": \"%s\", \"createdAt\": \"%s\"}\n"
                        .formatted(UUID.randomUUID(), CREATED));
    }

    public Path path() {
        return session;
    }

    public RunFixture run(String name, String transport, int packetBytes) {
        return new RunFixture(session.resolve("runs").resolve(name), name, transport, packetBytes);
    }

    public static Clock clockOf(@Nullable Long boundNs, ClockBound.Basis basis, String... marks) {
        ClockHistory nothing = new ClockHistory(List.of(), List.of());
        return new Clock(boundNs, basis, false, List.of(marks), nothing, nothing, List.of());
    }

    /** Returns the clock of a run that was executed although the bound exceeded the limit. */
    public static Clock accepted(@Nullable Long boundNs, ClockBound.Basis basis, String... marks) {
        Clock clock = clockOf(boundNs, basis, marks);
        return new Clock(boundNs, basis, true, clock.marks(), clock.sender(), clock.receiver(), clock.twoWay());
    }

    /** Returns the clock of a run during which the receiver's clock was set. */
    public static Clock stepped(Long boundNs, ClockBound.Basis basis) {
        ClockHistory nothing = new ClockHistory(List.of(), List.of());
        ClockHistory step = new ClockHistory(List.of(), List.of(new ClockHistory.ClockStep(EPOCH_NS, 700)));
        return new Clock(boundNs, basis, false, List.of(), nothing, step, List.of());
    }

    /** Returns the load of a host with two CPUs on which other programs used this part of the time, of 10 % allowed. */
    public static Machine busy(double share) {
        List<HostLoad> readings = IntStream.range(0, Machine.READINGS)
                .mapToObj(second -> new HostLoad(
                        second * 1_000_000_000L,
                        1,
                        Math.round(second * 200 * share),
                        0,
                        0,
                        second * 200L,
                        0,
                        7,
                        0,
                        List.of(),
                        List.of()))
                .toList();
        return new Machine(100_000, readings, readings);
    }
}
