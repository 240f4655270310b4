package org.lagbench.cli.sweep;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.RunSpec;

/**
 * Streams that are sent at the same time. Each is an ordinary run with a sender, a receiver and a directory of its own;
 * they have but the start in common:
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
 * The senders are on one kernel, and so have one clock, also where the network between them and the receivers is a
 * lab's. Used once.
 */
final class ConcurrentStreams {
    /** From the word to the start: the longest lead-in, a second, and time for the word to get to the last of them. */
    private static final Duration NOTICE = Duration.ofMillis(1_250);

    private final RunProcesses processes;
    private final ShutdownCoordinator interruption;
    private final List<Child> receivers = new CopyOnWriteArrayList<>();
    private final List<Child> senders = new CopyOnWriteArrayList<>();

    ConcurrentStreams(RunProcesses processes, ShutdownCoordinator interruption) {
        this.processes = processes;
        this.interruption = interruption;
    }

    /**
     * Makes these runs, and returns when none of their processes runs any more. The outcome is that of the first to
     * fail.
     */
    Outcome make(List<RunSpec> runs) throws LagbenchException, InterruptedException {
        Runnable stop = this::terminate;
        interruption.onInterrupt(stop);
        try {
            for (int i = 0; i < runs.size(); i++) {
                if (!start(runs.get(i))) {
                    return failure(i);
                }
            }
            for (int i = 0; i < runs.size(); i++) {
                if (senders.get(i).awaitGreeting().isEmpty()) {
                    return failure(i);
                }
            }
            long startNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() + NOTICE.toMillis());
            senders.forEach(sender -> sender.say(RunProcesses.START + startNs));
            for (Child sender : senders) {
                sender.awaitEnd();
            }
            Outcome outcome = outcome(runs.size());
            for (RunSpec run : runs) {
                processes.record(run, outcome);
            }
            return outcome;
        } finally {
            terminate();
            senders.forEach(Child::close);
            receivers.forEach(Child::close);
            interruption.forget(stop);
        }
    }

    /** Starts the processes of a stream; whether that went well. */
    private boolean start(RunSpec run) throws LagbenchException, InterruptedException {
        Hosts hosts = processes.begin(run);
        Child receiver = processes.startReceiver(run, hosts);
        receivers.add(receiver);
        endIfInterrupted(receiver);
        Optional<String> address = receiver.awaitGreeting(RunProcesses.START_TIMEOUT);
        if (address.isEmpty()) {
            return false;
        }
        Child sender = processes.startSender(run, hosts.onSender(), address.get(), hosts.keyFile());
        senders.add(sender);
        endIfInterrupted(sender);
        return true;
    }

    /** What was started while the interruption stopped all that had been before. */
    private void endIfInterrupted(Child child) {
        if (interruption.isInterrupted()) {
            child.terminate();
        }
    }

    private Outcome outcome(int streams) throws InterruptedException {
        for (int i = 0; i < streams; i++) {
            Child sender = senders.get(i);
            if (!sender.outcome().isOk()) {
                return failure(i);
            }
            receivers.get(i).awaitEnd(RunProcesses.END_TIMEOUT);
        }
        return Outcome.ok();
    }

    /** Why a stream failed. */
    private Outcome failure(int stream) {
        Child receiver = receivers.get(stream);
        if (stream >= senders.size()) {
            receiver.end();
            return RunProcesses.notListening(receiver.outcome()).ofMember(stream);
        }
        Child sender = senders.get(stream);
        sender.end();
        receiver.end();
        return RunProcesses.theCause(sender.outcome(), receiver.outcome()).ofMember(stream);
    }

    private void terminate() {
        senders.forEach(Child::terminate);
        receivers.forEach(Child::terminate);
    }
}
