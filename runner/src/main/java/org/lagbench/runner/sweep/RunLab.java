package org.lagbench.runner.sweep;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.LinkCapacity;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.LabRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.text.Endpoint;
import org.lagbench.lab.Lab;
import org.lagbench.lab.LabBottleneck;

/**
 * The lab of runs or of another command, if there is one. Its first use creates it; {@link #close} removes it. Used by
 * one thread, except {@link #beginTimes}.
 */
public final class RunLab implements AutoCloseable {
    private final Transports transports = Transports.load();
    private final @Nullable Network network;
    private volatile @Nullable Lab lab;
    private volatile int repeat = 1;
    private volatile @Nullable LagbenchException timesFailure;
    private List<LabRecord.Station> before = List.of();
    private @Nullable LabBottleneck bottleneck;

    public RunLab(@Nullable Network network) {
        this.network = network;
    }

    private Lab create() throws LagbenchException {
        Lab current = lab;
        if (current == null) {
            current = Lab.forThisProcess(Objects.requireNonNull(network));
            lab = current;
        }
        return current;
    }

    /** Starts a receiver on the receiver's host, as {@link LocalReceiver#start}. */
    public Endpoint startReceiver(Path directory, PrintWriter messages, ShutdownCoordinator shutdown)
            throws LagbenchException, InterruptedException {
        return LocalReceiver.start(hosts(), directory, messages, shutdown);
    }

    /** Returns the command that runs lagbench with these arguments on the sender's host. */
    public List<String> command(List<String> arguments) throws LagbenchException {
        return Stream.concat(hosts().onSender().stream(), ChildJvm.lagbench(arguments).stream())
                .toList();
    }

    /** Returns the two hosts, whose packets go forward. */
    public Hosts hosts() throws LagbenchException {
        return Hosts.of(create(), StreamRole.Direction.FORWARD);
    }

    /** Returns the file with the shared key of both hosts. */
    public Path keyFile() throws LagbenchException {
        return create().keyFile();
    }

    /** Returns the hosts of a run, which begins now. */
    Hosts begin(RunSpec run) throws LagbenchException {
        if (network == null || !transports.named(run.point().transport()).wire().isOverIp()) {
            return Hosts.LOOPBACK;
        }
        if (lab != null && !lab.isWhole()) {
            close(); // a relay or a flow was killed
            lab = null;
            bottleneck = null;
        }
        timesFailure = null; // discards the failure of an earlier run
        Lab current = create();
        current.endTimes(); // a broken run did not end its times
        repeat = run.repeat();
        before = current.stations();
        return Hosts.of(current, StreamRole.directionOf(run.stream()));
    }

    /**
     * Returns the environment variables of the sender of a run. They have the delay of the network, which exchanges
     * with the receiver do not show, and name the counters of the slow link if the run's policy reads them.
     */
    Map<String, String> variables(RunSpec run) throws LagbenchException {
        if (lab == null || network == null) {
            return Map.of();
        }
        Map<String, String> variables = new HashMap<>();
        variables.put(Network.ROUND_TRIP_VARIABLE, Long.toString(network.roundTripDelayNs()));
        CompressionSpec compression = run.point().traffic().compression();
        CompressionSpec.ChunkPolicy policy =
                compression == null ? null : compression.policy().orElse(null);
        if (policy != null && policy.usesCounters()) {
            variables.put(
                    Bottleneck.VARIABLE,
                    bottleneck(policy == CompressionSpec.ChunkPolicy.PAPER_SNMP).text());
        }
        return variables;
    }

    /** Returns the slow link, whose counters are open until the lab is closed, with an SNMP agent if necessary. */
    public Bottleneck bottleneck(boolean needsAgent) throws LagbenchException {
        LabBottleneck opened = bottleneck;
        if (opened == null || (needsAgent && opened.bottleneck().agent().isEmpty())) {
            if (opened != null) {
                opened.close();
            }
            opened = create().openBottleneck(Objects.requireNonNull(network), needsAgent);
            bottleneck = opened;
        }
        return opened.bottleneck();
    }

    /** Begins the times of the network: its bursts, outages and competing flows. They are relative to this call. */
    public void beginTimes() throws LagbenchException {
        create().beginTimes(RealtimeClock.nowNs(), repeat);
    }

    /** Begins the times of the network at {@code dueNs}, CLOCK_REALTIME in ns. Called by any thread. */
    void beginTimes(long dueNs) {
        Lab current = lab;
        try {
            if (current != null) {
                current.beginTimes(dueNs, repeat);
            }
        } catch (LagbenchException e) {
            timesFailure = e;
        }
    }

    /** Adds the network and its counters to the record of a run, which has ended. */
    void record(RunSpec run, Path runDirectory) throws LagbenchException {
        Lab current = lab;
        if (current == null
                || network == null
                || !transports.named(run.point().transport()).wire().isOverIp()
                || !Files.exists(runDirectory.resolve(RunRecord.FILE_NAME))) {
            return;
        }
        current.endTimes();
        LagbenchException failure = timesFailure;
        if (failure != null) {
            throw failure;
        }
        List<LabRecord.Station> now = current.stations();
        List<LabRecord.Station> difference = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            difference.add(now.get(i).since(before.get(i)));
        }
        LinkDirection link = StreamRole.directionOf(run.stream()) == StreamRole.Direction.BACKWARD
                ? network.reverse()
                : network.forward();
        Double capacityPacketsPerS = link.rateBitsPerS() == 0
                ? null
                : transports
                        .named(run.point().transport())
                        .packetsPerS(
                                new LinkCapacity(link, network.framing()),
                                run.point().packetBytes());
        RunRecord.addLab(
                runDirectory,
                new LabRecord(network.name(), current.network(), link.rateBitsPerS(), capacityPacketsPerS, difference));
    }

    @Override
    public void close() throws LagbenchException {
        Lab current = lab;
        LabBottleneck opened = bottleneck;
        try (current;
                opened) {
            // closed in the reverse order
        }
    }
}
