package org.lagbench.cli.sweep;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.time.Intervals;

/** The processes of one run: the receiver, if it is to be on this machine, and then the sender. */
final class RunProcesses {
    /** What the line of a receiver begins with that is ready; the address follows. */
    private static final String LISTENING = "listening on ";

    /** What a line of a sender begins with that waits for the clocks to come closer. */
    private static final String WAITING = "waiting ";

    /** What a sender says that is warm and waits for others. */
    private static final String READY = "ready";

    /**
     * What a line to such a sender begins with; the time of its first recorded packet follows, in ns since the epoch.
     */
    static final String START = "start ";

    static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    /** What a sender says when its first recorded packet is about to be sent. */
    private static final String RECORDING = "recording in ";

    /** How long a receiver may take to end of itself after its only run. */
    static final Duration END_TIMEOUT = Duration.ofSeconds(30);

    private final SessionDirectory session;
    private final @Nullable String receiver;
    private final @Nullable Path keyFile;
    private final ClockRequirements clocks;
    private final BusEnvironment bus;
    private final SweepLab lab;
    private final Progress progress;
    private final ShutdownCoordinator interruption;

    /**
     * How the runs of a session are made.
     *
     * @param receiver where a receiver waits, as host:port, or null if each run starts its own
     * @param keyFile the key shared with that receiver, or null
     * @param clocks what each run demands of the clocks
     * @param bus gives what processes need to reach the bus
     * @param lab gives the hosts that they are on
     * @param progress is told what a run waits for
     */
    RunProcesses(
            SessionDirectory session,
            @Nullable String receiver,
            @Nullable Path keyFile,
            ClockRequirements clocks,
            BusEnvironment bus,
            SweepLab lab,
            Progress progress,
            ShutdownCoordinator interruption) {
        this.session = session;
        this.receiver = receiver;
        this.keyFile = keyFile;
        this.clocks = clocks;
        this.bus = bus;
        this.lab = lab;
        this.progress = progress;
        this.interruption = interruption;
    }

    /** Whether the receiver is somebody else's, who may end it when he likes. */
    boolean usesExternalReceiver() {
        return receiver != null;
    }

    /** Makes one run, or several at the same time, and returns when none of their processes runs any more. */
    Outcome run(RunGroup group) throws LagbenchException, InterruptedException {
        return group.runs().size() == 1
                ? run(group.runs().get(0))
                : new ConcurrentStreams(this, interruption).make(group.runs());
    }

    private Outcome run(RunSpec run) throws LagbenchException, InterruptedException {
        return receiver == null ? runWithOwnReceiver(run) : send(run, List.of(), receiver, keyFile);
    }

    /** Where the processes of a run are to be, which begins now. */
    Hosts begin(RunSpec run) throws LagbenchException {
        return lab.begin(run);
    }

    /**
     * Completes the record of a run that has ended so. Ctrl-C reaches the programs of the network as well: after an
     * interruption they may have nothing to tell any more.
     */
    void record(RunSpec run, Outcome outcome) throws LagbenchException {
        try {
            lab.record(run, session.runs().resolve(run.name()));
        } catch (LagbenchException e) {
            if (outcome.exitCode() != ExitCode.INTERRUPTED || e.exitCode() != ExitCode.BROKEN) {
                throw e;
            }
        }
    }

    private Outcome runWithOwnReceiver(RunSpec run) throws LagbenchException, InterruptedException {
        Outcome outcome = runOn(begin(run), run);
        record(run, outcome);
        return outcome;
    }

    private Outcome runOn(Hosts hosts, RunSpec run) throws LagbenchException, InterruptedException {
        try (Child child = startReceiver(run, hosts)) {
            Runnable stop = child::terminate;
            interruption.onInterrupt(stop);
            try {
                Optional<String> address = child.awaitGreeting(START_TIMEOUT);
                if (address.isEmpty()) {
                    child.end();
                    return notListening(child.outcome());
                }
                Outcome sent = send(run, hosts.onSender(), address.get(), hosts.keyFile());
                if (sent.isOk()) {
                    child.awaitEnd(END_TIMEOUT);
                }
                child.end();
                return theCause(sent, child.outcome());
            } finally {
                interruption.forget(stop);
            }
        }
    }

    private Outcome send(RunSpec run, List<String> host, String address, @Nullable Path key)
            throws LagbenchException, InterruptedException {
        try (Child child = startSender(run, host, address, key)) {
            Runnable stop = child::terminate;
            interruption.onInterrupt(stop);
            try {
                child.awaitEnd();
                return child.outcome();
            } finally {
                interruption.forget(stop);
            }
        }
    }

    /** Starts the receiver of a run; it greets with its address. */
    Child startReceiver(RunSpec run, Hosts hosts) throws LagbenchException {
        return start("receiver", run, LISTENING, ProgramArguments.receiver(run, session.runs(), hosts, clocks));
    }

    /**
     * Starts the sender of a run; one that waits for others greets when it is warm.
     *
     * @param host what begins its command line
     */
    Child startSender(RunSpec run, List<String> host, String address, @Nullable Path key) throws LagbenchException {
        return start("sender", run, READY, ProgramArguments.sender(run, session.runs(), host, address, key, clocks));
    }

    private Child start(String title, RunSpec run, String greeting, List<String> command) throws LagbenchException {
        return Child.start(title, command, bus.of(run), session.log(run.name(), title), greeting, this::hear);
    }

    private void hear(String line) {
        if (line.startsWith(WAITING)) {
            progress.note(line);
        } else if (line.startsWith(RECORDING)) {
            lab.recording(Intervals.parseNs(line.substring(RECORDING.length())));
        }
        SentPackets.parse(line).ifPresent(progress::sent);
    }

    static Outcome notListening(Outcome receiver) {
        return receiver.isOk()
                ? new Outcome(
                        ExitCode.UNAVAILABLE,
                        "The receiver did not begin to listen within " + START_TIMEOUT.toSeconds() + " s.")
                : receiver;
    }

    /**
     * Where both sides failed, the sender often knows only that the receiver is gone; the receiver knows why. Ctrl-C
     * reaches both, and this process, in any order: a sender that could not begin may have come after the receiver's
     * end. No receiver is interrupted by this process before the sender has ended, see {@link Child#end}.
     */
    static Outcome theCause(Outcome sent, Outcome received) {
        boolean senderLostReceiver = sent.exitCode() == ExitCode.BROKEN || sent.exitCode() == ExitCode.PEER;
        boolean receiverKnowsWhy = received.exitCode() == ExitCode.FILES
                || received.exitCode() == ExitCode.UNAVAILABLE
                || received.exitCode() == ExitCode.INTERRUPTED;
        return senderLostReceiver && receiverKnowsWhy ? received : sent;
    }
}
