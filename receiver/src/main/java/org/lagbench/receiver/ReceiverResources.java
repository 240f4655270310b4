package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files, the capture and the engine that the receiver opens for an offered run.
 *
 * @param bytes the capture of received bytes; null unless the run has transfers
 * @param failure why the engine cannot receive any more
 */
record ReceiverResources(
        RunFiles files,
        ReceiverCapture capture,
        @Nullable ReceiverCapture bytes,
        Transport transport,
        PacketEngine engine,
        ReceiveEngine receiver,
        ArrivalRecorder arrivals,
        DropRecorder drops,
        AtomicReference<LagbenchException> failure) {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverResources.class);

    /**
     * Opens them.
     *
     * @throws LagbenchException if this machine cannot execute the run; nothing is left open
     * @throws IllegalArgumentException if no machine can
     */
    static ReceiverResources open(
            ControlSession control,
            ControlMessage.Offer offer,
            Transport transport,
            PacketEngine engine,
            Path directory)
            throws LagbenchException {
        Point point = offer.point();
        Settings settings =
                Settings.of(engine.settingsOver(transport), point.allSettings().asText());
        transport.checkPacketBytes(point.packetBytes(), settings);
        engine.check(transport, settings);
        engine.checkMachine(transport, settings);
        try {
            return withCapture(control, offer, transport, engine, RunFiles.create(directory, offer), settings);
        } catch (IOException e) {
            throw IoErrors.toException("the capture cannot be created in " + directory.toAbsolutePath(), e);
        } catch (OutOfMemoryError e) {
            throw ExitCode.UNAVAILABLE.failure(
                    "the heap is too small to count " + offer.point().stampedPackets()
                            + " packets with a bit each; increase it with -Xmx.",
                    e);
        }
    }

    private static ReceiverResources withCapture(
            ControlSession control,
            ControlMessage.Offer offer,
            Transport transport,
            PacketEngine engine,
            RunFiles files,
            Settings settings)
            throws IOException, LagbenchException {
        Point point = offer.point();
        long packets = new Phases(point.warmUpPackets(), point.stampedPackets(), offer.leadOutPackets()).total();
        ArrivalRecorder arrivals = new ArrivalRecorder(point, transport, engine, packets);
        DropRecorder drops = new DropRecorder(point, transport, engine, packets);
        @Nullable ReceiverCapture capture = null;
        @Nullable ReceiverCapture bytes = null;
        try {
            capture = files.createCapture(
                    transport.wire() == Wire.BUS,
                    (point.stampsArrivals() && engine.stampsArrivals()) || arrivals.isOpen());
            if (point.traffic().kind() == Traffic.TRANSFER) {
                bytes = IoErrors.explained("the capture of received bytes cannot be created", files::createBytes);
            }
            SideConfig config = new SideConfig(
                    point,
                    transport,
                    settings,
                    control.connection().runTag(offer.nonce()),
                    offer.leadOutPackets(),
                    SocketApi.SYSTEM_CALLS,
                    control.dataHost(),
                    null,
                    control.local().of(offer.run().stream()),
                    files.captureFile(),
                    null,
                    bytes,
                    control.announced(offer),
                    control.replyTo(),
                    control.admitted(offer));
            AtomicReference<LagbenchException> failure = new AtomicReference<>();
            ReceiveEngine receiver = engine.openReceiver(config, capture, failureListener(control, capture, failure));
            return new ReceiverResources(files, capture, bytes, transport, engine, receiver, arrivals, drops, failure);
        } catch (IOException | LagbenchException | OutOfMemoryError e) {
            arrivals.close();
            drops.close();
            if (bytes != null) {
                bytes.close();
            }
            if (capture != null) {
                capture.close();
                files.delete();
            }
            files.deleteDirectoryIfEmpty();
            throw e;
        }
    }

    /**
     * Returns a listener that keeps a failure and reports it to the sender: over a bus, sending to a failed receiver
     * succeeds.
     */
    private static Consumer<String> failureListener(
            ControlSession control, ReceiverCapture capture, AtomicReference<LagbenchException> failure) {
        return reason -> {
            String sentence = "The receiver cannot receive any more: " + reason;
            ExitCode code = capture.failure() == null ? ExitCode.BROKEN : ExitCode.FILES;
            failure.compareAndSet(null, code.failure(sentence));
            LOG.warn("{}", sentence);
            try {
                control.write(new ControlMessage.Refused(Refusal.of(code), sentence));
            } catch (IOException e) {
                LOG.debug("the sender has closed the control connection as well: {}", e.toString());
            }
        };
    }
}
