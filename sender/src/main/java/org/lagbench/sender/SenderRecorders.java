package org.lagbench.sender;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.SideMessage;
import org.lagbench.core.cause.CauseRecorder;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.recorder.CompilationMonitor;
import org.lagbench.core.recorder.LoadRecorder;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.recorder.RecordedSide;
import org.lagbench.core.recorder.Recorders;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.socket.PathMtu;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The recorders of a sender's run. A new one is a line in {@link #of}.
 *
 * @param compilation also waits for the compilers
 * @param load also a part of the record
 */
record SenderRecorders(Recorders all, CompilationMonitor compilation, LoadRecorder load) implements AutoCloseable {
    /**
     * Returns the recorders of a run that is not connected yet.
     *
     * @param announced by the receiver
     * @param windowsSeed of the order of the observed windows
     * @param files also keeps what was not recorded
     */
    static SenderRecorders of(
            SideConfig run,
            PacketEngine engine,
            SendEngine sender,
            Map<String, String> announced,
            long windowsSeed,
            RunFiles files,
            SenderConfig config) {
        RecordedSide side =
                new RecordedSide(run.point(), true, engine.runsOnJvm(), new SentPackets(sender), files.directory());
        DepartureRecorder departures =
                new DepartureRecorder(run.point(), run.transport(), engine, run.leadOutPackets());
        departures.attach(sender, () -> announced, run.tag(), files.directory());
        RetransmissionMonitor retransmissions =
                new RetransmissionMonitor(sender, run.point().records(ObservedSource.RETRANSMISSIONS));
        CompilationMonitor compilation = new CompilationMonitor();
        LoadRecorder load = new LoadRecorder(!config.link().isProbe());
        return new SenderRecorders(
                new Recorders(
                        List.of(
                                compilation,
                                new CauseRecorder(side, retransmissions::counters, windowsSeed, departures),
                                departures, // after the causes, whose windows arm it
                                retransmissions, // after the causes, which read its times
                                new QueueDrops(run.transport().wire(), sender),
                                new PathMtu(run, engine, announced),
                                load), // last: it reads the load after all others have written
                        new ReportedFailures(files, config)),
                compilation,
                load);
    }

    private record ReportedFailures(RunFiles files, SenderConfig config) implements Recorders.Failures {
        @Override
        public void notRecorded(String name, Exception why) {
            files.sideFiles().addMissing(name, why);
        }

        @Override
        public void notClosed(String name, Exception why) {
            String warning = "The recorder of " + name + " was not closed: " + IoErrors.reason(why) + ".";
            config.events().accept(new SideMessage.Warning(warning));
        }
    }

    private record SentPackets(SendEngine sender) implements RecordedSide.Packets {
        @Override
        public @Nullable PacketThread thread() {
            return sender.thread();
        }

        @Override
        public long moved() {
            return sender.lastIndex() + 1;
        }
    }

    @Override
    public void close() {
        all.close();
    }
}
