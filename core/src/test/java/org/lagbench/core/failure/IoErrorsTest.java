package org.lagbench.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IoErrorsTest {
    @TempDir
    Path directory;

    @Test
    void describesOperatingSystemErrors() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThat(reason(() -> Files.readString(directory.resolve("none"))))
                .isEqualTo("there is no such file or directory");
        assertThat(reason(() -> Files.createDirectory(file))).isEqualTo("something else is in its place");
        assertThat(reason(() -> {
                    throw new NotDirectoryException("file");
                }))
                .isEqualTo("it is not a directory");
        assertThat(reason(() -> Files.createDirectory(file.resolve("below")))).isEqualTo("Not a directory");
        assertThat(reason(() -> Files.writeString(Path.of("/dev/full"), "x"))).isEqualTo("No space left on device");
        assertThat(reason(() -> {
                    throw new IOException();
                }))
                .isEqualTo("no reason is known");
        assertThat(reason(() -> {
                    throw new EOFException();
                }))
                .isEqualTo("it ended early");
        assertThat(reason(() -> {
                    throw new CharacterCodingException();
                }))
                .isEqualTo("character coding");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            Connection refused                                       | Connection refused
            Connection refused (connect failed)                      | Connection refused
            Connection refused: /127.0.0.1:9                         | Connection refused
            finishConnect(..) failed: Connection refused: /127.0.0.1 | Connection refused
            Address already in use (Bind failed)                     | Address already in use
            Connect timed out                                        | Connection timed out
            connect timed out                                        | Connection timed out
            Connection reset                                         | Connection reset by peer
            Connection reset by peer (Read failed)                   | Connection reset by peer
            Read timed out                                           | no reply in time
            Socket is closed                                         | it was closed on this side
            the key was refused                                      | the key was refused
            """)
    void printsSameReasonOnEachJdk(String message, String reason) {
        assertThat(IoErrors.reason(new SocketException(message))).isEqualTo(reason);
        assertThat(IoErrors.reason(new UncheckedIOException(new SocketException(message))))
                .isEqualTo(reason);
    }

    @Test
    void namesErrorsOfThisJdk() throws Exception {
        SocketAddress free;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = taken.getLocalSocketAddress();
            assertThat(reason(() -> new ServerSocket(taken.getLocalPort(), 1, taken.getInetAddress()).close()))
                    .isEqualTo("Address already in use");
            assertThat(reason(() -> ServerSocketChannel.open().bind(free))).isEqualTo("Address already in use");
            taken.setSoTimeout(1);
            assertThat(reason(() -> taken.accept().close())).isEqualTo("no connection in time");
        }
        assertThat(reason(() -> new Socket().connect(free))).isEqualTo("Connection refused");
        assertThat(reason(() -> SocketChannel.open(free))).isEqualTo("Connection refused");
        Socket closed = new Socket();
        closed.close();
        assertThat(reason(closed::getInputStream)).isEqualTo("it was closed on this side");
    }

    @Test
    void explainsNativeLibraryOfAnotherBuild() {
        LagbenchException explained = Failures.explain(new UnsatisfiedLinkError("'long stamp(int)'"));

        assertThat(explained).isNotNull();
        assertThat(explained.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(explained.sentence())
                .contains("of different builds ('long stamp(int)'); build both again", "or use engine: java-nio.");
    }

    private static String reason(Attempt attempt) throws Exception {
        try {
            attempt.make();
        } catch (IOException e) {
            return IoErrors.reason(e);
        }
        throw new AssertionError("it was expected to fail");
    }

    private interface Attempt {
        void make() throws Exception;
    }
}
