package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.ProgramEvent;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;

/** Runs the processes of each run: the receiver, unless it is external, and the sender, on a shared bus and lab. */
final class RunProcesses implements AutoCloseable {
    static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    /** How long a receiver may take to end after its only run. */
    static final Duration END_TIMEOUT = Duration.ofSeconds(30);

    private final Execution execution;
    private final @Nullable Endpoint externalReceiver;
    private final Progress progress;
    private final ShutdownCoordinator shutdown;
    private final BusEnvironment bus = new BusEnvironment();
    private final RunLab lab;
    private final Map<RunSpec, LiveFigures> figures = new ConcurrentHashMap<>();
    private final AtomicBoolean hasNotedPriority = new AtomicBoolean();

    RunProcesses(Execution execution, Progress progress) {
        this.execution = execution;
        this.externalReceiver = execution.experiment().receiver();
        this.progress = progress;
        this.shutdown = execution.shutdown();
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
            Outcome outcome = runAll(group);
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

    private Outcome runAll(RunGroup group) throws LagbenchException, InterruptedException {
        if (group.runs().size() > 1) {
            return new ConcurrentStreams(this, shutdown).make(group.runs());
        }
        RunSpec run = group.runs().get(0);
        if (externalReceiver != null) {
            return awaitEnd(startWith(externalReceiver, run));
        }
        Outcome outcome = runWithReceiver(hosts(run), run);
        record(run, outcome);
        return outcome;
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

    private Outcome runWithReceiver(Hosts hosts, RunSpec run) throws LagbenchException, InterruptedException {
        try (Child receiver = startReceiver(run, hosts)) {
            Runnable stop = receiver::terminate;
            shutdown.onInterrupt(stop);
            try {
                Optional<String> address = receiver.awaitGreeting(HostLoad.patience(START_TIMEOUT));
                if (address.isEmpty()) {
                    receiver.end();
                    return notListening(receiver.outcome());
                }
                Outcome sent = awaitEnd(startSender(run, hosts, address.get()));
                if (sent.isOk()) {
                    receiver.awaitEnd(HostLoad.patience(END_TIMEOUT));
                }
                receiver.end();
                return cause(sent, receiver.outcome());
            } finally {
                shutdown.forget(stop);
            }
        }
    }

    private Outcome awaitEnd(Child started) throws InterruptedException {
        try (Child child = started) {
            Runnable stop = child::terminate;
            shutdown.onInterrupt(stop);
            try {
                child.awaitEnd();
                return child.outcome();
            } finally {
                shutdown.forget(stop);
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
                title, program, environment, execution.session().log(run.name(), title), event -> handle(run, event));
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

    static Outcome notListening(Outcome receiver) {
        return receiver.isOk()
                ? new Outcome(
                        ExitCode.UNAVAILABLE, "The receiver did not listen within " + START_TIMEOUT.toSeconds() + " s.")
                : receiver;
    }

    /**
     * Returns the outcome that explains a run. If both sides failed, the sender often knows only that the receiver is
     * gone, and the receiver knows why. Ctrl-C reaches both and this process in any order. This process interrupts no
     * receiver before the sender has ended, see {@link Child#end}.
     */
    static Outcome cause(Outcome sent, Outcome received) {
        if (sent.isOk() && received.exitCode() == ExitCode.FILES) {
            return received; // the run is complete, and the receiver could not write a file other than the stamps
        }
        boolean senderLostReceiver = sent.exitCode() == ExitCode.BROKEN || sent.exitCode() == ExitCode.PEER;
        boolean receiverKnowsWhy = received.exitCode() == ExitCode.FILES
                || received.exitCode() == ExitCode.UNAVAILABLE
                || received.exitCode() == ExitCode.INTERRUPTED;
        return senderLostReceiver && receiverKnowsWhy ? received : sent;
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
