package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.ProgramEvent;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;

/** Runs the processes of each run: the receiver, unless it is external, and the sender, on a shared bus and lab. */
final class RunProcesses implements AutoCloseable {

    private final Execution execution;
    private final @Nullable Endpoint externalReceiver;
    private final Progress progress;

    private final BusEnvironment bus = new BusEnvironment();
    private final RunLab lab;
    private final Map<RunSpec, LiveFigures> figures = new ConcurrentHashMap<>();
    private final AtomicBoolean hasNotedPriority = new AtomicBoolean();

    RunProcesses(Execution execution, Progress progress) {
        this.execution = execution;
        this.externalReceiver = execution.experiment().receiver();
        this.progress = progress;

        this.lab = new RunLab(execution.experiment().lab());
    }

    /** Returns whether the receiver is not a child of this process, so that others may end it. */
    boolean usesExternalReceiver() {
        return externalReceiver != null;
    }

    /** Returns where the other host's receiver listens; null if both sides are on this machine. */
    @Nullable
    Endpoint externalReceiver() {
        return externalReceiver;
    }

    /** Makes one run, or several at the same time, and returns when all their processes have ended. */
    Outcome run(RunGroup group) throws LagbenchException, InterruptedException {
        try {
            Outcome outcome = new GroupProcesses(this, execution.shutdown()).make(group.runs());
            if (outcome.isOk()) {
                figures.values().forEach(LiveFigures::end);
            }
            return outcome;
        } finally {
            for (LiveFigures ofRun : figures.values()) {
                ofRun.close();
            }
            figures.clear();
        }
    }

    /** Returns the hosts of the processes of a run, which starts now. */
    Hosts hosts(RunSpec run) throws LagbenchException {
        return lab.begin(run);
    }

    /**
     * Adds the counters of the network to the record of a run that has ended. After an interruption they may be
     * missing, because Ctrl-C reaches the processes of the network as well.
     */
    void record(RunSpec run, Outcome outcome) throws LagbenchException {
        try {
            lab.record(run, execution.session().runs().resolve(run.name()));
        } catch (LagbenchException e) {
            if (outcome.exitCode() != ExitCode.INTERRUPTED || e.exitCode() != ExitCode.BROKEN) {
                throw e;
            }
        }
    }

    /**
     * Starts this host's program of a run with another host: the sender, or the receiver if the packets go the other
     * way. If it waits for other streams, its greeting means that the warm-up is over.
     */
    Child startWith(Endpoint server, RunSpec run) throws LagbenchException {
        Path keyFile = execution.experiment().keyFile();
        if (StreamRole.directionOf(run.stream()) == StreamRole.Direction.BACKWARD) {
            return start("receiver", run, ProgramArguments.caller(execution, run, server, keyFile));
        }
        Hosts hosts = Hosts.external(server, execution.experiment().dataHost(), keyFile);
        return startSender(run, hosts, hosts.listen());
    }

    /** Starts the receiver of a run; its greeting is its address. */
    Child startReceiver(RunSpec run, Hosts hosts) throws LagbenchException {
        return start("receiver", run, ProgramArguments.receiver(execution, run, hosts));
    }

    /** Starts the sender of a run. If it waits for other streams, its greeting means that its warm-up is over. */
    Child startSender(RunSpec run, Hosts hosts, String address) throws LagbenchException {
        boolean isWatched = progress.shownFigures() != null;
        if (isWatched) {
            Path directory = execution.session().runs().resolve(run.name());
            figures.put(run, new LiveFigures(run, directory, !usesExternalReceiver(), progress, hasNotedPriority));
        }
        return start(
                "sender",
                run,
                ProgramArguments.sender(execution, run, hosts, address, isWatched && usesExternalReceiver()));
    }

    private Child start(String title, RunSpec run, ProgramArguments program) throws LagbenchException {
        Map<String, String> environment = new HashMap<>(execution.environment());
        environment.putAll(bus.variables(run));
        environment.putAll(lab.variables(run));
        return Child.start(
                title,
                program,
                environment,
                execution.session().log(run.name(), title),
                run.point().stallTimeout(),
                event -> handle(run, event));
    }

    private void handle(RunSpec run, ProgramEvent event) {
        LiveFigures ofRun = figures.get(run);
        switch (event.kind()) {
            case WAITING -> progress.note(event.value());
            case WARNING -> progress.error(event.value());
            case RECORDING -> {
                lab.beginFlows(Intervals.parseNs(event.value()));
                if (ofRun != null) {
                    ofRun.begin();
                }
            }
            case INTERVAL -> {
                if (ofRun != null) {
                    ofRun.accept(event.value());
                }
            }
            case LISTENING, READY, DONE, START -> {
                // the greeting, and what this process knows
            }
        }
    }

    /** Removes the bus and the lab. All processes must have ended. */
    @Override
    public void close() throws LagbenchException {
        try (bus;
                lab) {
            // closed in the reverse order
        }
    }
}
