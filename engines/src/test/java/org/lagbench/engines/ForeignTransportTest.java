package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Traffic;

/** Transports that no engine knows: none may send their packets as if they were of another one. */
class ForeignTransportTest {
    /** A transport that only has a name, a wire and a header. */
    private record Foreign(String name, Wire wire, int headerBytes) implements Transport {
        @Override
        public String title() {
            return name;
        }

        @Override
        public int maximumPacketBytes(Settings settings) {
            return 1_000;
        }
    }

    static Stream<Transport> foreign() {
        return Stream.of(
                new Foreign("rtp", Wire.UDP, 12),
                new Foreign("framed", Wire.TCP, 4),
                new Foreign("sctp", Wire.LIBRARY, 0),
                new Foreign("avtp", Wire.ETHERNET, 24),
                new Foreign("bus", Wire.BUS, 0));
    }

    @ParameterizedTest
    @MethodSource("foreign")
    void isRefusedByEveryEngine(Transport transport) {
        Engines engines = Engines.load();
        assertThat(engines.names()).contains("java", "java-nio", "c", "netty", "aeron", "quic", "onc-rpc");
        for (Engine engine : engines.all()) {
            for (Traffic traffic : Traffic.values()) {
                assertThat(engine.serves(transport, traffic))
                        .as(engine.name() + " " + traffic.text())
                        .isFalse();
            }
        }
    }

    @Test
    void isNeverThePlainTransportOfAWire() {
        List<Transport> all = new ArrayList<>(foreign().toList());
        all.addAll(Transports.load().all());
        Transports transports = new Transports(all);

        assertThat(transports.names()).startsWith("avtp", "bus", "framed").contains("rtp");
        assertThat(transports.plain(Wire.UDP).name()).isEqualTo("udp");
        assertThat(transports.plain(Wire.TCP).name()).isEqualTo("tcp");
    }

    @ParameterizedTest
    @EnumSource(Traffic.class)
    void isServedByNothingBeyondTheDeclaredWires(Traffic traffic) {
        for (Engine engine : Engines.load().all()) {
            for (Transport transport : Transports.load().all()) {
                boolean isDeclared = engine.wires(traffic).contains(transport.wire());
                assertThat(engine.serves(transport, traffic))
                        .as(engine.name() + " " + transport.name())
                        .isIn(isDeclared, isDeclared && transport.wire() != Wire.LIBRARY);
            }
        }
    }

    /** Two libraries share the wire of libraries, but nothing that they send. */
    @Test
    void isServedByTheEngineOfItsLibraryAlone() {
        for (Transport transport : Transports.load().all()) {
            if (transport.wire() == Wire.LIBRARY) {
                assertThat(Engines.load().all().stream().filter(engine -> engine.serves(transport, Traffic.ONE_WAY)))
                        .as(transport.name())
                        .hasSize(1);
            }
        }
    }
}
