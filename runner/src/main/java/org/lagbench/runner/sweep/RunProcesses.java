package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.SideMessage;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.Experiment;
import org.lagbench.native1394.VirtualBus;
import org.lagbench.runner.sweep.Child.ExitReport;

/**
 * The processes of each run, or of streams that are sent at the same time: the receiver, unless it is external, and the
 * sender, on a shared bus and lab. Each stream is an ordinary run with its own sender, receiver and directory. Several
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
 */
final class RunProcesses implements AutoCloseable {
    /**
     * Time between the command to start and the common start: the longest lead-in (1 s), and time until the last sender
     * has the command.
     */
    private static final Duration NOTICE = Duration.ofMillis(1_250);

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    /** How long a receiver may take to end after its only run. */
    private static final Duration END_TIMEOUT = Duration.ofSeconds(30);

    /** How a side ends that lost the other one. */
    private static final Set<ExitCode> LOST_PEER = Set.of(ExitCode.BROKEN, ExitCode.PEER);

    private final Execution execution;
    private final @Nullable Endpoint externalReceiver;
    private final Progress progress;
    private final RunLab lab;
    private final Map<RunSpec, LiveMetrics> metrics = new ConcurrentHashMap<>();
    private final AtomicBoolean hasNotedPriority = new AtomicBoolean();

    /** The virtual bus of all runs, which the first run that needs a bus creates; null before, and with a real bus. */
    private @Nullable VirtualBus virtualBus;

    private final List<Child> receivers = new CopyOnWriteArrayList<>();
    /** The senders, or the receivers that request one; of several streams they report their warm-up and wait. */
    private final List<Child> leaders = new CopyOnWriteArrayList<>();

    RunProcesses(Execution execution, Progress progress) {
        this.execution = execution;
        this.externalReceiver = execution.experiment().path().receiver();
        this.progress = progress;
        this.lab = new RunLab(execution.experiment().path().lab());
    }

    /** Returns whether the receiver is not a child of this process, so that others may end it. */
    boolean usesExternalReceiver() {
        return externalReceiver != null;
    }

    /** Executes one run, or several at the same time, and returns when all their processes have ended. */
    ExitReport run(RunSpec.RunGroup group) throws LagbenchException, InterruptedException {
        Endpoint agent = execution.agent();
        if (agent != null) {
            return new AgentRuns(execution, agent).run(group.runs().get(0));
        }
        try {
            ExitReport outcome = execute(group.runs());
            if (outcome.isOk()) {
                metrics.values().forEach(LiveMetrics::end);
            }
            return outcome;
        } finally {
            for (LiveMetrics ofRun : metrics.values()) {
                ofRun.close();
            }
            metrics.clear();
        }
    }

    /**
     * Executes the runs, waits until all their processes have ended, and returns the outcome of the first that failed.
     */
    private ExitReport execute(List<RunSpec> runs) throws LagbenchException, InterruptedException {
        Runnable stop = this::terminate;
        execution.shutdown().onInterrupt(stop);
        try {
            for (int i = 0; i < runs.size(); i++) {
                if (!start(runs.get(i))) {
                    return notListening(i);
                }
            }
            if (runs.size() > 1) {
                for (int i = 0; i < runs.size(); i++) {
                    if (!leaders.get(i).awaitReady()) {
                        return ended(i);
                    }
                }
                begin(runs, RealtimeClock.nowNs() + NOTICE.toNanos());
            } else if (ProgramArguments.waitsForStart(execution, runs.get(0))) {
                leaders.get(0).awaitReady();
                begin(runs, RealtimeClock.nowNs());
            }
            for (Child leader : leaders) {
                leader.awaitEnd();
            }
            ExitReport outcome = outcome();
            for (RunSpec run : runs) {
                record(run, outcome);
            }
            return outcome;
        } finally {
            terminate();
            leaders.forEach(Child::close);
            receivers.forEach(Child::close);
            execution.shutdown().forget(stop);
            leaders.clear();
            receivers.clear();
        }
    }

    /** Starts runs that wait. The times of the network begin before a flood, which gives no notice of its packets. */
    private void begin(List<RunSpec> runs, long startNs) {
        if (runs.stream().anyMatch(run -> run.point().pace().mode() == Pace.Mode.FLOOD)) {
            lab.beginTimes(startNs);
        }
        leaders.forEach(leader -> leader.write(new SideMessage.Start(startNs)));
    }

    /**
     * Starts the processes of a stream; returns whether they were started. With another host, this host's program is
     * the sender, or the receiver if the packets go the other way.
     */
    private boolean start(RunSpec run) throws LagbenchException {
        if (externalReceiver != null) {
            Experiment experiment = execution.experiment();
            Hosts hosts = Hosts.external(
                    externalReceiver,
                    experiment.path().dataHost(),
                    experiment.path().local(),
                    execution.key());
            boolean sends = StreamRole.directionOf(run.stream()) == StreamRole.Direction.FORWARD;
            Child leader = sends ? startSender(run, hosts) : startLeader(ProgramArguments.RECEIVER, run, hosts);
            leader.write(
                    sends
                            ? ProgramArguments.send(execution, run, hosts, externalReceiver, isWatched())
                            : ProgramArguments.receiveFrom(execution, run, hosts));
            return true;
        }
        Hosts hosts = lab.begin(run);
        Child receiver = start(receivers, "receiver", run, ProgramArguments.receiver(execution, run, hosts));
        Child sender = startSender(run, hosts); // its JVM starts while that of the receiver does
        Optional<Endpoint> address = receiver.awaitListening(Patience.of(START_TIMEOUT));
        if (address.isEmpty()) {
            return false;
        }
        sender.write(ProgramArguments.send(execution, run, hosts, address.get(), false));
        return true;
    }

    private boolean isWatched() {
        return progress.showsSeconds();
    }

    /** Starts the sender of a run, which waits for its request. */
    private Child startSender(RunSpec run, Hosts hosts) throws LagbenchException {
        if (isWatched()) {
            Path directory = execution.session().runs().resolve(run.name());
            metrics.put(run, new LiveMetrics(run, directory, !usesExternalReceiver(), progress, hasNotedPriority));
        }
        return startLeader(ProgramArguments.SENDER, run, hosts);
    }

    private Child startLeader(String mainClass, RunSpec run, Hosts hosts) throws LagbenchException {
        String title = mainClass.equals(ProgramArguments.SENDER) ? "sender" : "receiver";
        return start(leaders, title, run, ProgramArguments.requested(mainClass, execution, run, hosts));
    }

    /** Starts a child, and terminates it if an interruption has terminated the others before. */
    private Child start(List<Child> children, String title, RunSpec run, ProgramArguments program)
            throws LagbenchException {
        Map<String, String> environment = new HashMap<>(busVariables(run));
        environment.putAll(lab.variables(run));
        Child child = Child.start(
                title,
                program,
                environment,
                execution.session().log(run.name(), title),
                run.point().stallTimeout().plus(Child.GRACE),
                event -> handle(run, event));
        children.add(child);
        if (execution.shutdown().isInterrupted()) {
            child.terminate();
        }
        return child;
    }

    /** Returns which bus the processes use: "virtual" or "/dev/fw*". */
    static String busKind() {
        return VirtualBus.isNeeded() || VirtualBus.isInherited() ? "virtual" : "/dev/fw*";
    }

    /**
     * Returns the environment variables with which the processes of a run find the virtual bus; empty for a real bus,
     * an inherited virtual bus, or another transport.
     */
    private Map<String, String> busVariables(RunSpec run) throws LagbenchException {
        boolean usesBus = Transports.load()
                .find(run.point().transport())
                .map(transport -> transport.wire() == Wire.BUS)
                .orElse(false);
        if (!usesBus || !VirtualBus.isNeeded()) {
            return Map.of();
        }
        if (virtualBus == null) {
            virtualBus = VirtualBus.create();
        }
        return virtualBus.environment();
    }

    private void handle(RunSpec run, SideMessage.Event event) {
        LiveMetrics ofRun = metrics.get(run);
        if (event instanceof SideMessage.Waiting waiting) {
            progress.note(waiting.sentence());
        } else if (event instanceof SideMessage.Warning warning) {
            progress.error(warning.sentence());
        } else if (event instanceof SideMessage.Recording recording) {
            lab.beginTimes(recording.dueNs());
            if (ofRun != null) {
                ofRun.begin();
            }
        } else if (event instanceof SideMessage.Interval interval && ofRun != null) {
            ofRun.interval(interval.received());
        }
    }

    private ExitReport outcome() throws InterruptedException {
        for (int i = 0; i < leaders.size(); i++) {
            if (!leaders.get(i).outcome().isOk()) {
                return ended(i);
            }
        }
        for (Child receiver : receivers) {
            receiver.awaitEnd(Patience.of(END_TIMEOUT));
        }
        return IntStream.range(0, leaders.size())
                .mapToObj(this::ended)
                .filter(outcome -> !outcome.isOk())
                .findFirst()
                .orElseGet(ExitReport::ok);
    }

    /** Ends a receiver that does not listen, and returns why. */
    private ExitReport notListening(int stream) {
        receivers.get(stream).end();
        ExitReport receiver = receivers.get(stream).outcome();
        String late = "The receiver did not listen within " + START_TIMEOUT.toSeconds() + " s.";
        return receiver.isOk()
                ? new ExitReport(ExitCode.UNAVAILABLE, late).ofMember(stream)
                : receiver.ofMember(stream);
    }

    /** Ends the processes of a stream, and returns how it ended. */
    private ExitReport ended(int stream) {
        Child leader = leaders.get(stream);
        leader.end();
        if (receivers.isEmpty()) {
            return leader.outcome().ofMember(stream);
        }
        Child receiver = receivers.get(stream);
        receiver.end();
        return cause(leader, receiver).ofMember(stream);
    }

    /**
     * Returns the outcome that explains a run. If both sides failed, the sender often detects only that the receiver
     * does not answer or has ended, and the receiver has the reason, or is the reason if it was killed. Ctrl-C reaches
     * both and this process in any order. This process interrupts no receiver before the sender has ended, see
     * {@link Child#end}.
     */
    private static ExitReport cause(Child sender, Child receiver) {
        ExitReport sent = sender.outcome();
        ExitReport received = receiver.outcome();
        if (sent.isOk() && received.exitCode() == ExitCode.FILES) {
            return received; // the run is complete, and the receiver could not write a file other than the stamps
        }
        boolean senderLostReceiver = LOST_PEER.contains(sent.exitCode()) && !sender.isKilled();
        boolean receiverKnowsWhy = !received.isOk() && !LOST_PEER.contains(received.exitCode());
        return senderLostReceiver && (receiverKnowsWhy || receiver.isKilled()) ? received : sent;
    }

    /**
     * Adds the counters of the network to the record of a run that has ended. After an interruption they may be
     * missing, because Ctrl-C reaches the processes of the network as well.
     */
    private void record(RunSpec run, ExitReport outcome) throws LagbenchException {
        try {
            lab.record(run, execution.session().runs().resolve(run.name()));
        } catch (LagbenchException e) {
            if (outcome.exitCode() != ExitCode.INTERRUPTED || e.exitCode() != ExitCode.BROKEN) {
                throw e;
            }
        }
    }

    /** Terminates the processes of the run that is being executed, if there is one; from any thread. */
    void terminate() {
        leaders.forEach(Child::terminate);
        receivers.forEach(Child::terminate);
    }

    /** Removes the bus and the lab. All processes must have ended. */
    @Override
    public void close() throws LagbenchException {
        VirtualBus bus = virtualBus;
        try (bus;
                lab) {
            // closed in the reverse order
        }
    }
}
