package org.lagbench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.experiment.NetworkReader;

/** Reads the counters of a relay, which a socket of this process replaces. */
class RelayTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"aToB\": {\"received\""})
    void reportsRelayThatEndsBeforeItsCounts(String output) throws Exception {
        LabPlan.Link link =
                LabPlan.of(NetworkReader.named("ethernet-100"), false).links().get(0);
        Path socket = directory.resolve("relay");
        try (ServerSocketChannel relay =
                ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket))) {
            CompletableFuture<Void> ending = CompletableFuture.runAsync(() -> end(relay, output));
            assertThatThrownBy(() -> Relay.counts(link, socket))
                    .isInstanceOfSatisfying(LagbenchException.class, failure -> assertThat(failure.exitCode())
                            .isEqualTo(ExitCode.BROKEN))
                    .hasMessageContaining("does not answer at " + socket);
            ending.get(60, TimeUnit.SECONDS);
        }
    }

    private static void end(ServerSocketChannel relay, String output) {
        try (SocketChannel connection = relay.accept()) {
            connection.write(ByteBuffer.wrap(output.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
