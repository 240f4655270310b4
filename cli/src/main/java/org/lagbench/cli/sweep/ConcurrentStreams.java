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
 * Streams that are sent at the same time. Each is an ordinary run with its own sender, receiver and directory. They
 * share only the start:
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
 * The senders run on one kernel, and so have one clock, even if a lab's network is between them and the receivers. Used
 * once.
 */
final class ConcurrentStreams {
    /** Time between the command and the start: the longest lead-in, a second, and time to reach the last sender. */
    private static final Duration NOTICE = Duration.ofMillis(1_250);

    private final RunProcesses processes;
    private final ShutdownCoordinator shutdown;
    private final List<Child> receivers = new CopyOnWriteArrayList<>();
    private final List<Child> senders = new CopyOnWriteArrayList<>();

    ConcurrentStreams(RunProcesses processes, ShutdownCoordinator shutdown) {
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
                    return failure(i);
                }
            }
            for (int i = 0; i < runs.size(); i++) {
                if (senders.get(i).awaitGreeting().isEmpty()) {
                    return failure(i);
                }
            }
            long startNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() + NOTICE.toMillis());
            senders.forEach(sender -> sender.writeLine(RunProcesses.START + startNs));
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
            shutdown.forget(stop);
        }
    }

    /** Starts the processes of a stream; returns whether both were started. */
    private boolean start(RunSpec run) throws LagbenchException {
        Hosts hosts = processes.hosts(run);
        Child receiver = processes.startReceiver(run, hosts);
        receivers.add(receiver);
        terminateIfInterrupted(receiver);
        Optional<String> address = receiver.awaitGreeting(RunProcesses.START_TIMEOUT);
        if (address.isEmpty()) {
            return false;
        }
        Child sender = processes.startSender(run, hosts.onSender(), address.get(), hosts.keyFile());
        senders.add(sender);
        terminateIfInterrupted(sender);
        return true;
    }

    /** Terminates a child that was added after an interruption had terminated the others. */
    private void terminateIfInterrupted(Child child) {
        if (shutdown.isInterrupted()) {
            child.terminate();
        }
    }

    private Outcome outcome(int streams) throws InterruptedException {
        for (int i = 0; i < streams; i++) {
            if (!senders.get(i).outcome().isOk()) {
                return failure(i);
            }
            receivers.get(i).awaitEnd(RunProcesses.END_TIMEOUT);
        }
        return Outcome.ok();
    }

    /** Returns why a stream failed. */
    private Outcome failure(int stream) {
        Child receiver = receivers.get(stream);
        if (stream >= senders.size()) {
            receiver.end();
            return RunProcesses.notListening(receiver.outcome()).ofMember(stream);
        }
        Child sender = senders.get(stream);
        sender.end();
        receiver.end();
        return RunProcesses.cause(sender.outcome(), receiver.outcome()).ofMember(stream);
    }

    private void terminate() {
        senders.forEach(Child::terminate);
        receivers.forEach(Child::terminate);
    }
}
