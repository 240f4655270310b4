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
 * The lab of a sweep, if its experiment orders one: made when the first run asks for it, one for all runs, and removed
 * at the end. Runs over a bus have nothing to do with it. Used by one thread, but for {@link #recording}.
 */
final class SweepLab implements AutoCloseable {
    private final Transports transports = Transports.load();
    private final @Nullable Network network;
    private volatile @Nullable Lab lab;
    private volatile @Nullable LagbenchException failure;
    private List<Station> before = List.of();

    /** The lab for a network, or none. */
    SweepLab(@Nullable Network network) {
        this.network = network;
    }

    /** Where the processes of a run are to be, which begins now. */
    Hosts begin(RunSpec run) throws LagbenchException {
        if (network == null || !transports.named(run.transport()).usesSockets()) {
            return Hosts.LOOPBACK;
        }
        Lab made = lab;
        if (made == null) {
            made = Lab.forThisProcess(network);
            lab = made;
        }
        made.endFlows(); // those of a run that broke off
        before = made.stations();
        StreamRole stream = run.stream();
        return Hosts.of(made, stream == null ? StreamRole.Direction.FORWARD : stream.direction());
    }

    /** The first recorded packet of the run will be sent in so many ns. From any thread. */
    void recording(long inNs) {
        Lab made = lab;
        try {
            if (made != null) {
                made.beginFlows(inNs);
            }
        } catch (LagbenchException e) {
            failure = e;
        }
    }

    /** Puts what the network counted meanwhile into the record of the run, which has ended. */
    void record(RunSpec run, Path runDirectory) throws LagbenchException {
        Lab made = lab;
        if (made == null
                || network == null
                || !transports.named(run.transport()).usesSockets()
                || !Files.exists(runDirectory.resolve(RunRecord.FILE_NAME))) {
            return;
        }
        made.endFlows();
        LagbenchException failed = failure;
        if (failed != null) {
            throw failed;
        }
        List<Station> now = made.stations();
        List<Station> difference = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            difference.add(now.get(i).since(before.get(i)));
        }
        long rate = link(network, run).rateBitsPerS();
        RunRecordFile.addLab(
                runDirectory,
                new LabRecord(network.name(), made.network(), rate, capacityPacketsPerS(network, run), difference));
    }

    /** What the link that a run's packets go over does to them; of a dumbbell, the one between its routers. */
    private static LinkDirection link(Network network, RunSpec run) {
        StreamRole stream = run.stream();
        return stream != null && stream.direction() == StreamRole.Direction.BACKWARD
                ? network.reverse()
                : network.forward();
    }

    private @Nullable Double capacityPacketsPerS(Network network, RunSpec run) throws LagbenchException {
        LinkDirection link = link(network, run);
        if (link.rateBitsPerS() == 0) {
            return null;
        }
        return transports
                .named(run.transport())
                .packetsPerS(new LinkCapacity(link, network.framing()), run.packetBytes());
    }

    /** Removes it. The processes in it are ended. */
    @Override
    public void close() throws LagbenchException {
        Lab made = lab;
        if (made != null) {
            made.close();
        }
    }
}
