package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.packetio.tcp.TcpTransport;
import org.lagbench.packetio.transport.PacketTransport;

/** The settings of TCP with compressed transfers. */
class TcpChunksTest {
    private final PacketTransport tcp = new TcpTransport();

    @ParameterizedTest
    @ValueSource(strings = {"writes", "batch"})
    void refusesSettingsThatDoNotApplyToChunks(String name) throws Exception {
        assertThatThrownBy(checking(Map.of(name, "2")))
                .isInstanceOf(LagbenchException.class)
                .hasMessageStartingWith("tcp." + name + ": 2 does not apply with a codec");
    }

    @Test
    void acceptsSettingsThatApplyToChunks() throws Exception {
        assertThatCode(checking(Map.of("no-delay", "false", "writes", "1", "batch", "1")))
                .doesNotThrowAnyException();
    }

    private ThrowingCallable checking(Map<String, String> settings) throws LagbenchException {
        Engine engine = Engines.load().named("java");
        return () -> engine.checkCompression(
                tcp, Settings.of(tcp.settings(), settings), new CompressionSpec("gzip-6", "text"));
    }
}
