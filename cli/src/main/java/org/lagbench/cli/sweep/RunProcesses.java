package org.lagbench.cli.sweep;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Interruption;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunSpec;

/** The processes of one run: the receiver, if it is to be on this machine, and then the sender. */
final class RunProcesses {
    /** What the line of a receiver begins with that is ready; the address follows. */
    private static final String LISTENING = "listening on ";

    /** What a line of a sender begins with that waits for the clocks to come closer. */
    private static final String WAITING = "waiting ";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    /** How long a receiver may take to end of itself after its only run. */
    private static final Duration END_TIMEOUT = Duration.ofSeconds(30);

    private final SessionDirectory session;
    private final @Nullable String receiver;
    private final @Nullable Path keyFile;
    private final ClockWishes clocks;
    private final BusEnvironment bus;
    private final SweepLab lab;
    private final Progress progress;
    private final Interruption interruption;

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
            ClockWishes clocks,
            BusEnvironment bus,
            SweepLab lab,
            Progress progress,
            Interruption interruption) {
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
    boolean haveOthersReceiver() {
        return receiver != null;
    }

    /** Makes one run, and returns when none of its processes runs any more. */
    Outcome run(RunSpec run) throws LagbenchException, InterruptedException {
        return receiver == null ? runWithOwnReceiver(run) : send(run, List.of(), receiver, keyFile);
    }

    private Outcome runWithOwnReceiver(RunSpec run) throws LagbenchException, InterruptedException {
        Hosts hosts = lab.begin(run);
        Outcome outcome = runOn(hosts, run);
        lab.record(run, session.runs().resolve(run.name()));
        return outcome;
    }

    private Outcome runOn(Hosts hosts, RunSpec run) throws LagbenchException, InterruptedException {
        try (Child child = start("receiver", run, Applications.receiver(run, session.runs(), hosts, clocks))) {
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
        List<String> command = Applications.sender(run, session.runs(), host, address, key, clocks);
        try (Child child = start("sender", run, command)) {
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

    private Child start(String title, RunSpec run, List<String> command) throws LagbenchException {
        return Child.start(
                title,
                command,
                bus.forTransport(run.transport()),
                session.log(run.name(), title),
                LISTENING,
                this::hear);
    }

    private void hear(String line) {
        if (line.startsWith(WAITING)) {
            progress.note(line);
        }
    }

    private static Outcome notListening(Outcome receiver) {
        return receiver.isOk()
                ? new Outcome(
                        ExitCode.UNAVAILABLE,
                        "The receiver did not begin to listen within " + START_TIMEOUT.toSeconds() + " s.")
                : receiver;
    }

    /**
     * Where both sides failed, the sender often knows only that the receiver is gone; the receiver knows why. Ctrl-C
     * reaches both, and this process, in any order: a sender that could not begin may have come after the receiver's end.
     * No receiver is interrupted by this process before the sender has ended, see {@link Child#end}.
     */
    private static Outcome theCause(Outcome sent, Outcome received) {
        boolean senderLostReceiver = sent.exitCode() == ExitCode.BROKEN || sent.exitCode() == ExitCode.PEER;
        boolean receiverKnowsWhy = received.exitCode() == ExitCode.FILES
                || received.exitCode() == ExitCode.UNAVAILABLE
                || received.exitCode() == ExitCode.INTERRUPTED;
        return senderLostReceiver && receiverKnowsWhy ? received : sent;
    }
}
