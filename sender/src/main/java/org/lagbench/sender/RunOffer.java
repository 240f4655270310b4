package org.lagbench.sender;

import java.util.Map;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.RunSpec;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.StageRecording;
import org.lagbench.packetio.transport.TransportRun;

/** The offer of a run to the receiver, with the matching configuration of the sending engine. */
final class RunOffer {
    private final SenderConfig config;
    private final RunSpec spec;
    private final WarmUp warmUp;
    private final long leadOutPackets;

    RunOffer(SenderConfig config, WarmUp warmUp, long leadOutPackets) {
        this.config = config;
        this.spec = config.spec();
        this.warmUp = warmUp;
        this.leadOutPackets = leadOutPackets;
    }

    /** Returns whether the receiver answers each packet. */
    boolean isAnswered() {
        return spec.point().traffic().isAnswered();
    }

    /** Returns the configuration of the sending engine. */
    EngineConfig engineConfig(long tag, ControlConnection connection, RunFiles files) {
        String host =
                config.dataHost() == null ? Endpoint.parse(connection.peer()).host() : config.dataHost();
        TransportRun receiverListens = isAnswered()
                ? TransportRun.ofRoundTrips(
                        tag, spec.point().packetBytes(), host, spec.point().allSettings())
                : new TransportRun(
                        tag, spec.point().packetBytes(), host, spec.point().allSettings());
        TransportRun run =
                config.link().isRequested() ? receiverListens.listeningAt(connection.localHost()) : receiverListens;
        return new EngineConfig(
                config.transport(),
                spec.point().observe().contains(Observation.STAGES)
                        ? run.recording(new StageRecording(
                                files.directory(), spec.point().packets(), warmUp.packets(), leadOutPackets))
                        : run,
                spec.point().traffic(),
                spec.point().packets(),
                warmUp.packets(),
                leadOutPackets,
                files.captureFile(),
                files.answers(),
                Map.of());
    }

    /** Returns the message for the receiver. */
    ControlMessage.Offer message(String nonce, SendEngine sender) {
        return new ControlMessage.Offer(spec, warmUp.leadInPackets(), leadOutPackets, nonce, sender.announce());
    }
}
