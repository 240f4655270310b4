package org.lagbench.core.yaml;

import java.util.List;
import java.util.function.ToIntFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.SettingDefinition;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;

/** A transport that has settings and limits, but nothing to send with. */
record FakeTransport(
        String name,
        List<SettingDefinition> settings,
        ToIntFunction<Settings> maximum,
        @Override long minimumIntervalNs)
        implements Transport {
    /** Three transports with the limits of the real ones. */
    static final Transports ALL = Transports.of(
            new FakeTransport(
                    "tcp",
                    List.of(
                            SettingDefinition.flag("no-delay", true, "sends small packets at once"),
                            SettingDefinition.bytesOrAuto("send-buffer", 2_048, 1 << 30, "asked of the kernel"),
                            SettingDefinition.bytesOrAuto("receive-buffer", 2_048, 1 << 30, "asked of the kernel")),
                    settings -> 1 << 20,
                    0),
            new FakeTransport(
                    "udp",
                    List.of(SettingDefinition.bytesOrAuto("receive-buffer", 2_048, 1 << 30, "asked of the kernel")),
                    settings -> 65_507,
                    0),
            new FakeTransport(
                    "bus",
                    List.of(
                            SettingDefinition.choice("speed", "400", List.of("100", "200", "400"), "Mbit/s"),
                            SettingDefinition.integerOrAuto("channel", 0, 63, "the channel")),
                    settings -> Integer.parseInt(settings.word("speed")) * 4_096 / 400,
                    125_000));

    @Override
    public String title() {
        return name;
    }

    @Override
    public int maximumPacketBytes(Settings settings) {
        return maximum.applyAsInt(settings);
    }

    @Override
    public boolean isConnectionOriented() {
        return name.equals("tcp");
    }

    /** Channel 13 accepts small packets only. */
    @Override
    public void check(int packetBytes, Settings settings) throws LagbenchException {
        if (name.equals("bus") && settings.word("channel").equals("13") && packetBytes > 100) {
            throw new LagbenchException(ExitCode.USAGE, "channel 13 takes no more than 100 bytes; take another.");
        }
    }
}
