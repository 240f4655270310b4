package org.lagbench.receiver;

import java.util.List;
import org.lagbench.control.ControlMessage;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.cause.CauseRecorder;
import org.lagbench.core.cause.EventCounter;
import org.lagbench.core.recorder.CompilationMonitor;
import org.lagbench.core.recorder.LoadRecorder;
import org.lagbench.core.recorder.RecordedSide;
import org.lagbench.core.recorder.Recorders;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Point;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.socket.DroppedDatagrams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recorders of a receiver's run. A new one is a line in {@link #of}.
 *
 * @param compilation also waits for the compilers
 * @param load also a part of the result
 */
record ReceiverRecorders(Recorders all, CompilationMonitor compilation, LoadRecorder load) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverRecorders.class);

    /** Returns the recorders of a run whose engine is open. */
    static ReceiverRecorders of(
            ControlSession control,
            ControlMessage.Offer offer,
            ReceiverResources opened,
            DroppedDatagrams dropped,
            RecordedSide.Packets packets) {
        Point point = offer.point();
        RunFiles files = opened.files();
        ReceiveEngine receiver = opened.receiver();
        RecordedSide side = new RecordedSide(point, false, opened.engine().runsOnJvm(), packets, files.directory());
        long tag = control.connection().runTag(offer.nonce());
        opened.arrivals().attach(receiver, tag, files.directory());
        opened.drops().attach(receiver, receiver::announce, tag, files.directory());
        EventCounter resets = new EventCounter(Cause.BUS_RESET, receiver::busResets);
        List<EventCounter> counters = point.records(ObservedSource.DROPS)
                ? List.of(new EventCounter(Cause.KERNEL_DROP, dropped::overflowed), resets)
                : List.of(resets);
        CompilationMonitor compilation = new CompilationMonitor();
        LoadRecorder load = new LoadRecorder(!control.isProbe());
        return new ReceiverRecorders(
                new Recorders(
                        List.of(
                                compilation,
                                new CauseRecorder(
                                        side, () -> counters, ObservedWindows.seed(offer.nonce()), opened.arrivals()),
                                opened.arrivals(), // after the causes, whose windows arm it
                                opened.drops(),
                                load), // last: it reads the load after all others have written
                        new LoggedFailures(files)),
                compilation,
                load);
    }

    private record LoggedFailures(RunFiles files) implements Recorders.Failures {
        @Override
        public void notRecorded(String name, Exception why) {
            LOG.warn("run {}: {} was not recorded", files.offer().run().name(), name, why);
            files.sideFiles().addMissing(name, why);
        }

        @Override
        public void notClosed(String name, Exception why) {
            LOG.warn(
                    "run {}: the recorder of {} was not closed",
                    files.offer().run().name(),
                    name,
                    why);
        }
    }

    @Override
    public void close() {
        all.close();
    }
}
