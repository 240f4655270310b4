package org.lagbench.experiment;

import java.util.List;
import java.util.function.ToIntFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;

/** A transport that has settings and limits, but nothing to send with. */
record FakeTransport(
        String name, List<Parameter<?>> settings, ToIntFunction<Settings> maximum, @Override long minimumIntervalNs)
        implements Transport {
    /** Three transports with the limits of the real ones. */
    static final Transports ALL = new Transports(List.of(
            new FakeTransport(
                    "tcp",
                    List.of(
                            Parameter.flag("no-delay", true).described("sends small packets at once"),
                            Parameter.bytes("send-buffer", 2_048, 1 << 30)
                                    .orWord(Parameter.AUTO)
                                    .described("asked of the kernel"),
                            Parameter.bytes("receive-buffer", 2_048, 1 << 30)
                                    .orWord(Parameter.AUTO)
                                    .described("asked of the kernel")),
                    settings -> 1 << 20,
                    0),
            new FakeTransport(
                    "udp",
                    List.of(Parameter.bytes("receive-buffer", 2_048, 1 << 30)
                            .orWord(Parameter.AUTO)
                            .described("asked of the kernel")),
                    settings -> 65_507,
                    0),
            new FakeTransport(
                    "bus",
                    List.of(
                            Parameter.choice("speed", List.of("100", "200", "400"))
                                    .byDefault("400")
                                    .described("Mbit/s"),
                            Parameter.number("channel", 0, 63)
                                    .orWord(Parameter.AUTO)
                                    .described("the channel")),
                    settings -> Integer.parseInt(settings.word("speed")) * 4_096 / 400,
                    125_000)));

    @Override
    public String title() {
        return name;
    }

    @Override
    public int maximumPacketBytes(Settings settings) {
        return maximum.applyAsInt(settings);
    }

    @Override
    public Wire wire() {
        return name.equals("bus") ? Wire.BUS : name.equals("tcp") ? Wire.TCP : Wire.UDP;
    }

    /** Channel 13 accepts small packets only. */
    @Override
    public void check(int packetBytes, Settings settings) throws LagbenchException {
        if (name.equals("bus") && settings.word("channel").equals("13") && packetBytes > 100) {
            throw new LagbenchException(ExitCode.USAGE, "channel 13 takes no more than 100 bytes; take another.");
        }
    }
}
