package org.lagbench.runner.sweep;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.ProgramEvent;
import org.lagbench.core.run.RunSpec;

/**
 * The processes of a run, or of streams that are sent at the same time. Each stream is an ordinary run with its own
 * sender, receiver and directory. Several share only the start:
 *
 * <pre>
 *  sweep                         each sender
 *    |  ------ starts it ----------->  |
 *    |                                 |  warm-up, garbage collection on both sides
 *    |  <----- ready ----------------  |
 *    |  ------ start NS ------------>  |  when all are ready, the same instant for all
 *    |                                 |  the first recorded packet is due at NS
 * </pre>
 *
 * The senders run on one kernel, and so have one clock, even if a lab's network is between them and the receivers. With
 * another host, this host's receiver delays the sender there, which then starts later by the time that a message takes.
 * Used once.
 */
final class GroupProcesses {
    /** Time between the command and the start: the longest lead-in, a second, and time to reach the last sender. */
    private static final Duration NOTICE = Duration.ofMillis(1_250);

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    /** How long a receiver may take to end after its only run. */
    private static final Duration END_TIMEOUT = Duration.ofSeconds(30);

    private final RunProcesses processes;
    private final ShutdownCoordinator shutdown;
    private final List<Child> receivers = new CopyOnWriteArrayList<>();

    /** The senders, or the receivers that request one; of several streams they report their warm-up and wait. */
    private final List<Child> leaders = new CopyOnWriteArrayList<>();

    GroupProcesses(RunProcesses processes, ShutdownCoordinator shutdown) {
        this.processes = processes;
        this.shutdown = shutdown;
    }

    /** Makes the runs, waits until all their processes have ended, and returns the outcome of the first that failed. */
    Outcome make(List<RunSpec> runs) throws LagbenchException, InterruptedException {
        Runnable stop = this::terminate;
        shutdown.onInterrupt(stop);
        try {
            for (int i = 0; i < runs.size(); i++) {
                if (!start(runs.get(i))) {
                    return notListening(i);
                }
            }
            if (runs.size() > 1) {
                for (int i = 0; i < runs.size(); i++) {
                    if (leaders.get(i).awaitGreeting().isEmpty()) {
                        return ended(i);
                    }
                }
                startTogether();
            }
            for (Child leader : leaders) {
                leader.awaitEnd();
            }
            Outcome outcome = outcome();
            for (RunSpec run : runs) {
                processes.record(run, outcome);
            }
            return outcome;
        } finally {
            terminate();
            leaders.forEach(Child::close);
            receivers.forEach(Child::close);
            shutdown.forget(stop);
        }
    }

    private void startTogether() {
        long startNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() + NOTICE.toMillis());
        ProgramEvent start = new ProgramEvent(ProgramEvent.Kind.START, Long.toString(startNs));
        leaders.forEach(leader -> leader.writeLine(StrictJson.line(start)));
    }

    /** Starts the processes of a stream; returns whether they were started. */
    private boolean start(RunSpec run) throws LagbenchException {
        Endpoint server = processes.externalReceiver();
        if (server != null) {
            add(leaders, processes.startWith(server, run));
            return true;
        }
        Hosts hosts = processes.hosts(run);
        Child receiver = add(receivers, processes.startReceiver(run, hosts));
        Optional<String> address = receiver.awaitGreeting(HostLoad.patience(START_TIMEOUT));
        if (address.isEmpty()) {
            return false;
        }
        add(leaders, processes.startSender(run, hosts, address.get()));
        return true;
    }

    /** Adds a child, and terminates it if an interruption has terminated the others before. */
    private Child add(List<Child> children, Child child) {
        children.add(child);
        if (shutdown.isInterrupted()) {
            child.terminate();
        }
        return child;
    }

    private Outcome outcome() throws InterruptedException {
        for (int i = 0; i < leaders.size(); i++) {
            if (!leaders.get(i).outcome().isOk()) {
                return ended(i);
            }
        }
        for (Child receiver : receivers) {
            receiver.awaitEnd(HostLoad.patience(END_TIMEOUT));
        }
        return IntStream.range(0, leaders.size())
                .mapToObj(this::ended)
                .filter(outcome -> !outcome.isOk())
                .findFirst()
                .orElseGet(Outcome::ok);
    }

    /** Ends a receiver that does not listen, and returns why. */
    private Outcome notListening(int stream) {
        receivers.get(stream).end();
        Outcome receiver = receivers.get(stream).outcome();
        String late = "The receiver did not listen within " + START_TIMEOUT.toSeconds() + " s.";
        return receiver.isOk() ? new Outcome(ExitCode.UNAVAILABLE, late).ofMember(stream) : receiver.ofMember(stream);
    }

    /** Ends the processes of a stream, and returns how it ended. */
    private Outcome ended(int stream) {
        Child leader = leaders.get(stream);
        leader.end();
        if (receivers.isEmpty()) {
            return leader.outcome().ofMember(stream);
        }
        Child receiver = receivers.get(stream);
        receiver.end();
        return cause(leader.outcome(), receiver.outcome()).ofMember(stream);
    }

    /**
     * Returns the outcome that explains a run. If both sides failed, the sender often knows only that the receiver is
     * gone, and the receiver knows why. Ctrl-C reaches both and this process in any order. This process interrupts no
     * receiver before the sender has ended, see {@link Child#end}.
     */
    private static Outcome cause(Outcome sent, Outcome received) {
        if (sent.isOk() && received.exitCode() == ExitCode.FILES) {
            return received; // the run is complete, and the receiver could not write a file other than the stamps
        }
        boolean senderLostReceiver = sent.exitCode() == ExitCode.BROKEN || sent.exitCode() == ExitCode.PEER;
        boolean receiverKnowsWhy = received.exitCode() == ExitCode.FILES
                || received.exitCode() == ExitCode.UNAVAILABLE
                || received.exitCode() == ExitCode.INTERRUPTED;
        return senderLostReceiver && receiverKnowsWhy ? received : sent;
    }

    private void terminate() {
        leaders.forEach(Child::terminate);
        receivers.forEach(Child::terminate);
    }
}
