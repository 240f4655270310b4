package org.lagbench.cli.sweep;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.time.Intervals;

/** Runs the processes of each run: the receiver, unless it is external, and the sender, on a shared bus and lab. */
final class RunProcesses implements AutoCloseable {
    /** Prefix of the line that a listening receiver prints; its address follows. */
    private static final String LISTENING = "listening on ";

    /** Prefix of the lines that a sender prints while it waits for the clocks. */
    private static final String WAITING = "waiting ";

    /** The line that a warm sender prints before it waits for the common start. */
    private static final String READY = "ready";

    /** Prefix of the line that starts such a sender; the time of its first recorded packet follows, in epoch ns. */
    static final String START = "start ";

    /** Prefix of the line that a sender prints before its first recorded packet; the time until then follows. */
    private static final String RECORDING = "recording in ";

    static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    /** How long a receiver may take to end after its only run. */
    static final Duration END_TIMEOUT = Duration.ofSeconds(30);

    private final Execution execution;
    private final @Nullable Endpoint externalReceiver;
    private final Progress progress;
    private final ShutdownCoordinator shutdown;
    private final BusEnvironment bus = new BusEnvironment();
    private final SweepLab lab;

    RunProcesses(Execution execution, Progress progress) {
        this.execution = execution;
        this.externalReceiver = execution.experiment().receiver();
        this.progress = progress;
        this.shutdown = execution.shutdown();
        this.lab = new SweepLab(execution.experiment().lab());
    }

    /** Returns whether the receiver is not a child of this process, so that others may end it. */
    boolean usesExternalReceiver() {
        return externalReceiver != null;
    }

    /** Makes one run, or several at the same time, and returns when all their processes have ended. */
    Outcome run(RunGroup group) throws LagbenchException, InterruptedException {
        if (group.runs().size() > 1) {
            return new ConcurrentStreams(this, shutdown).make(group.runs());
        }
        RunSpec run = group.runs().get(0);
        if (externalReceiver != null) {
            return send(
                    run,
                    List.of(),
                    externalReceiver.toString(),
                    execution.experiment().keyFile());
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
                Optional<String> address = receiver.awaitGreeting(START_TIMEOUT);
                if (address.isEmpty()) {
                    receiver.end();
                    return notListening(receiver.outcome());
                }
                Outcome sent = send(run, hosts.onSender(), address.get(), hosts.keyFile());
                if (sent.isOk()) {
                    receiver.awaitEnd(END_TIMEOUT);
                }
                receiver.end();
                return cause(sent, receiver.outcome());
            } finally {
                shutdown.forget(stop);
            }
        }
    }

    private Outcome send(RunSpec run, List<String> prefix, String address, @Nullable Path key)
            throws LagbenchException, InterruptedException {
        try (Child sender = startSender(run, prefix, address, key)) {
            Runnable stop = sender::terminate;
            shutdown.onInterrupt(stop);
            try {
                sender.awaitEnd();
                return sender.outcome();
            } finally {
                shutdown.forget(stop);
            }
        }
    }

    /** Starts the receiver of a run; its greeting is its address. */
    Child startReceiver(RunSpec run, Hosts hosts) throws LagbenchException {
        return start("receiver", run, LISTENING, ProgramArguments.receiver(execution, run, hosts));
    }

    /**
     * Starts the sender of a run. If it waits for other streams, its greeting means that it is warm.
     *
     * @param prefix beginning of its command line
     */
    Child startSender(RunSpec run, List<String> prefix, String address, @Nullable Path key) throws LagbenchException {
        return start("sender", run, READY, ProgramArguments.sender(execution, run, prefix, address, key));
    }

    private Child start(String title, RunSpec run, String greeting, List<String> command) throws LagbenchException {
        return Child.start(
                title,
                command,
                bus.variables(run),
                execution.session().log(run.name(), title),
                greeting,
                this::handleLine);
    }

    private void handleLine(String line) {
        if (line.startsWith(WAITING)) {
            progress.note(line);
        } else if (line.startsWith(RECORDING)) {
            lab.beginFlows(Intervals.parseNs(line.substring(RECORDING.length())));
        }
        SentPackets.parse(line).ifPresent(progress::sent);
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
