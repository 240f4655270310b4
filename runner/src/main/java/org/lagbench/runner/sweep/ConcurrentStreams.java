package org.lagbench.runner.sweep;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.ProgramEvent;
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
 * The senders run on one kernel, and so have one clock, even if a lab's network is between them and the receivers. With
 * another host, this host's receiver delays the sender there, which then starts later by the time that a message takes.
 * Used once.
 */
final class ConcurrentStreams {
    /** Time between the command and the start: the longest lead-in, a second, and time to reach the last sender. */
    private static final Duration NOTICE = Duration.ofMillis(1_250);

    private final RunProcesses processes;
    private final ShutdownCoordinator shutdown;
    private final List<Child> receivers = new CopyOnWriteArrayList<>();

    /** The processes that report their warm-up and wait for the start, one for each stream. */
    private final List<Child> leaders = new CopyOnWriteArrayList<>();

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
                if (leaders.get(i).awaitGreeting().isEmpty()) {
                    return failure(i);
                }
            }
            long startNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() + NOTICE.toMillis());
            ProgramEvent start = new ProgramEvent(ProgramEvent.Kind.START, Long.toString(startNs));
            leaders.forEach(leader -> leader.writeLine(StrictJson.line(start)));
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

    /** Starts the processes of a stream; returns whether they were started. */
    private boolean start(RunSpec run) throws LagbenchException {
        Endpoint server = processes.externalReceiver();
        if (server != null) {
            add(leaders, processes.startWith(server, run));
            return true;
        }
        Hosts hosts = processes.hosts(run);
        Child receiver = add(receivers, processes.startReceiver(run, hosts));
        Optional<String> address = receiver.awaitGreeting(HostLoad.patience(RunProcesses.START_TIMEOUT));
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
                return failure(i);
            }
        }
        for (Child receiver : receivers) {
            receiver.awaitEnd(HostLoad.patience(RunProcesses.END_TIMEOUT));
        }
        return Outcome.ok();
    }

    /** Returns why a stream failed. */
    private Outcome failure(int stream) {
        if (stream >= leaders.size()) {
            Child receiver = receivers.get(stream);
            receiver.end();
            return RunProcesses.notListening(receiver.outcome()).ofMember(stream);
        }
        Child leader = leaders.get(stream);
        leader.end();
        if (receivers.isEmpty()) {
            return leader.outcome().ofMember(stream);
        }
        Child receiver = receivers.get(stream);
        receiver.end();
        return RunProcesses.cause(leader.outcome(), receiver.outcome()).ofMember(stream);
    }

    private void terminate() {
        leaders.forEach(Child::terminate);
        receivers.forEach(Child::terminate);
    }
}
