package org.lagbench.runner.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.ChunkPolicy;
import org.lagbench.core.model.LabRecord;
import org.lagbench.core.model.LinkCapacity;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Station;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.lab.Lab;
import org.lagbench.lab.LabBottleneck;

/**
 * The lab of a sweep, if its experiment has one. The first run over sockets creates it for all runs; {@link #close}
 * removes it. Used by one thread, except {@link #beginFlows}.
 */
final class SweepLab implements AutoCloseable {
    private final Transports transports = Transports.load();
    private final @Nullable Network network;
    private volatile @Nullable Lab lab;
    private volatile @Nullable LagbenchException flowFailure;
    private List<Station> before = List.of();
    private @Nullable LabBottleneck bottleneck;

    SweepLab(@Nullable Network network) {
        this.network = network;
    }

    /** Returns the hosts of a run, which begins now. */
    Hosts begin(RunSpec run) throws LagbenchException {
        if (network == null || !transports.named(run.transport()).usesSockets()) {
            return Hosts.LOOPBACK;
        }
        Lab current = lab;
        if (current == null) {
            current = Lab.forThisProcess(network);
            lab = current;
        }
        current.endFlows(); // a broken run has not ended its flows
        before = current.stations();
        return Hosts.of(current, StreamRole.directionOf(run.stream()));
    }

    /**
     * Returns the environment variables of the sender of a run. They name the counters of the slow link if the run's
     * policy reads them.
     */
    Map<String, String> variables(RunSpec run) throws LagbenchException {
        TransferSpec transfer = run.traffic().transfer();
        CompressionSpec compression = transfer == null ? null : transfer.compression();
        ChunkPolicy policy = compression == null ? null : compression.policy().orElse(null);
        Lab current = lab;
        if (current == null || network == null || policy == null || !policy.usesCounters()) {
            return Map.of();
        }
        LabBottleneck opened = bottleneck;
        boolean needsAgent = policy == ChunkPolicy.PAPER_SNMP;
        if (opened == null || (needsAgent && opened.bottleneck().agent().isEmpty())) {
            if (opened != null) {
                opened.close();
            }
            opened = current.openBottleneck(network, needsAgent);
            bottleneck = opened;
        }
        return Map.of(Bottleneck.VARIABLE, opened.bottleneck().text());
    }

    /** Starts the competing flows; the first recorded packet is due in {@code inNs}. Called by any thread. */
    void beginFlows(long inNs) {
        Lab current = lab;
        try {
            if (current != null) {
                current.beginFlows(inNs);
            }
        } catch (LagbenchException e) {
            flowFailure = e;
        }
    }

    /** Adds the network and its counters to the record of a run, which has ended. */
    void record(RunSpec run, Path runDirectory) throws LagbenchException {
        Lab current = lab;
        if (current == null
                || network == null
                || !transports.named(run.transport()).usesSockets()
                || !Files.exists(runDirectory.resolve(RunRecord.FILE_NAME))) {
            return;
        }
        current.endFlows();
        LagbenchException failure = flowFailure;
        if (failure != null) {
            throw failure;
        }
        List<Station> now = current.stations();
        List<Station> difference = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            difference.add(now.get(i).since(before.get(i)));
        }
        LinkDirection link = StreamRole.directionOf(run.stream()) == StreamRole.Direction.BACKWARD
                ? network.reverse()
                : network.forward();
        Double capacityPacketsPerS = link.rateBitsPerS() == 0
                ? null
                : transports
                        .named(run.transport())
                        .packetsPerS(new LinkCapacity(link, network.framing()), run.packetBytes());
        RunRecordFile.addLab(
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
