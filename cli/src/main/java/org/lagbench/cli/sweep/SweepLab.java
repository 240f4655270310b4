package org.lagbench.cli.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.LabRecord;
import org.lagbench.core.lab.LinkCapacity;
import org.lagbench.core.lab.LinkDirection;
import org.lagbench.core.lab.Network;
import org.lagbench.core.lab.Station;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.transport.Transports;
import org.lagbench.lab.Lab;

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

    /** Begins the competing flows; the first recorded packet is due in {@code inNs}. Called by any thread. */
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
        if (current != null) {
            current.close();
        }
    }
}
