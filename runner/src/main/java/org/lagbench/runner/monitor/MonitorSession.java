package org.lagbench.runner.monitor;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesStore;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.Monitoring;
import org.lagbench.runner.machine.Json;
import org.lagbench.runner.machine.Machine;
import org.lagbench.runner.sweep.ChildJvm;
import org.lagbench.runner.sweep.Hosts;
import org.lagbench.runner.sweep.LocalReceiver;
import org.lagbench.runner.sweep.SessionDirectory;

/** The monitor of a session: the turns of its experiment, and the new or continued index of its series. */
public final class MonitorSession {
    private final Path directory;
    private final Monitoring monitoring;
    private final Turn.Access access;
    private final List<Turn> turns;
    private final SeriesIndex index;

    /**
     * Begins or continues the series of a session, and records the environment.
     *
     * @param target the only receiver, in a lab; null for those of the experiment, or one on this machine
     * @param messages receives a line each time a receiver on this machine dies
     * @throws LagbenchException if the session is not one of a monitor, or has series of another experiment
     */
    public MonitorSession(
            SessionDirectory session,
            Experiment experiment,
            @Nullable Endpoint target,
            Turn.Access access,
            PrintWriter messages)
            throws LagbenchException, InterruptedException {
        Monitoring section = experiment.monitor();
        if (section == null) {
            throw ExitCode.USAGE.failure(session.directory() + " is the session of a sweep.");
        }
        this.directory = session.directory();
        this.monitoring = section;
        boolean isOnThisMachine = target == null
                && section.targets().isEmpty()
                && experiment.path().receiver() == null;
        this.access = isOnThisMachine
                ? new Turn.Access(Hosts.LOOPBACK.key(), access.dataHost(), LocalEnd.ANY, false, access.shutdown())
                : access;
        List<Endpoint> targets =
                target != null ? List.of(target) : targets(experiment.path().receiver(), messages);
        this.turns = Turn.of(experiment, monitoring, directory, targets, this.access);
        this.index = index();
        String environment = Json.text(Machine.environment(ChildJvm.options(), "none", null)) + "\n";
        AtomicFile.write(session.newEnvironmentFile(), environment);
    }

    private List<Endpoint> targets(@Nullable Endpoint receiver, PrintWriter messages)
            throws LagbenchException, InterruptedException {
        List<Endpoint> receivers = new ArrayList<>(monitoring.targets());
        if (receivers.isEmpty() && receiver != null) {
            receivers.add(receiver);
        } else if (receivers.isEmpty()) {
            receivers.add(
                    LocalReceiver.start(Hosts.LOOPBACK, directory.resolve("received"), messages, access.shutdown()));
        }
        return receivers;
    }

    private SeriesIndex index() throws LagbenchException {
        if (!SeriesIndex.isIn(directory)) {
            SeriesIndex created = new SeriesIndex(RealtimeClock.nowNs(), Turn.series(turns));
            created.write(directory);
            return created;
        }
        SeriesIndex existing = SeriesIndex.read(directory);
        if (!existing.series().equals(Turn.series(turns))) {
            throw ExitCode.FILES.failure(directory.resolve(SeriesIndex.FILE_NAME)
                    + " does not list the series of the session's experiment. Restore it, or start a new session.");
        }
        return existing;
    }

    /** Returns the series in the order of the index. */
    public List<SeriesInfo> series() {
        return index.series();
    }

    /** Returns the time between two values of a series, in ns. */
    public long everyNs() {
        return monitoring.everyNs();
    }

    /** Returns the number of rounds since the session began. */
    public long rounds() {
        return (RealtimeClock.nowNs() - index.startNs()) / monitoring.everyNs();
    }

    /** Sends the probes until their time is over or the program is interrupted. */
    public void run(SeriesStore store, Monitor.Lines lines, ProbeCost cost) throws LagbenchException {
        long rounds = monitoring.forNs() == Monitoring.UNLIMITED
                ? Long.MAX_VALUE
                : (monitoring.forNs() + monitoring.everyNs() - 1) / monitoring.everyNs();
        Monitor.Schedule schedule =
                new Monitor.Schedule(index.startNs(), monitoring.everyNs(), monitoring.jitterNs(), turns.size());
        Monitor.WallClock clock = Monitor.WallClock.ofThisHost(access.shutdown());
        new Monitor(schedule, turns, rounds, store, clock, lines, cost).run();
    }
}
