package org.lagbench.sender;

import java.util.Map;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.run.RunSpec;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SocketApi;

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
    SideConfig engineConfig(long tag, ControlConnection connection, RunFiles files) {
        String host =
                config.dataHost() == null ? Endpoint.parse(connection.peer()).host() : config.dataHost();
        return new SideConfig(
                spec.point(),
                config.transport(),
                spec.point().allSettings(),
                tag,
                leadOutPackets,
                SocketApi.SYSTEM_CALLS,
                host,
                config.link().isRequested() ? connection.localHost() : null,
                files.captureFile(),
                files.answers(),
                Map.of());
    }

    /** Returns the message for the receiver. */
    ControlMessage.Offer message(String nonce, SendEngine sender) {
        return new ControlMessage.Offer(spec, warmUp.leadInPackets(), leadOutPackets, nonce, sender.announce());
    }
}
