package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Typical mistakes, with the message and the exit code of each. */
class MistakesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @BeforeEach
    void writeFiles() throws Exception {
        Files.writeString(directory.resolve("good.yaml"), "transports: udp\n");
        Files.writeString(directory.resolve("typo.yaml"), "transports: udp\npakets: 100\n");
        Files.writeString(directory.resolve("unit.yaml"), "pace: {interval: 20}\n");
        Files.writeString(directory.resolve("empty.yaml"), "");
        Files.writeString(
                directory.resolve("long.yaml"),
                "monitor:\n  metrics: [loss, failedSends.packets." + "x".repeat(200) + "]\n");
        Files.writeString(
                Files.createDirectory(directory.resolve("monitor")).resolve("experiment.yaml"), "monitor: {}\n");
        Files.writeString(directory.resolve("syntax.yaml"), "packets: [1, 2\n");
        Files.writeString(
                Files.createFile(
                        directory.resolve("short.key"),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
                "abc\n");
        assertThat(new ProcessBuilder(
                                "mkfifo", "-m", "600", directory.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
    }

    /** DIR is the directory of the files; a message that ends with … has more than this. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            rnu | 2 | There is no command rnu; did you mean run?
            tabel | 2 | There is no command tabel; did you mean table?
            lab upp | 2 | There is no command upp; did you mean up?
            run udp --siez 992 | 2 | There is no option --siez; did you mean --size?
            run rist --rist.buffer 80ms | 2 | There is no option --rist.buffer; did you mean --buffer?
            table DIR --fromat=csv | 2 | There is no option --fromat; did you mean --format?
            verify DIR DIR | 2 | "DIR" is one argument too many.
            run | 2 | Missing required parameter: 'TRANSPORT'
            run uddp | 2 | TRANSPORT: "uddp" is not a transport; did you mean udp?
            run quic | 2 | TRANSPORT: "quic" is not a transport; it is an engine over udp, so write udp with …
            run udp --size 3 | 2 | --size: 3 is not accepted; it takes a size from 24 …
            run udp --packet-bytes=3 | 2 | --packet-bytes: 3 is not accepted; it takes a size …
            run udp --packets -1 | 2 | --packets: -1 is not accepted; it takes a whole number from 1 …
            run udp --interval 3 | 2 | --interval: 3 is not accepted; it takes a length of time from …
            run udp --interval 3sec | 2 | --interval: 3sec is not accepted; it takes a length of time …
            run udp --receive-buffer 4MBit | 2 | --receive-buffer: 4MBit is not accepted; it takes a size …
            run udp --no-delay true | 2 | --no-delay: udp takes --send-buffer, --receive-buffer, …
            run udp --mode floood | 2 | --mode: "floood" is not accepted; it takes flood or …
            run udp --rate 10mbits | 2 | --rate: 10mbits is not accepted; it takes a rate such as 10mbit, …
            run udp --rate 10gbit | 2 | --rate: 10gbit is not accepted; it takes a rate such as 10mbit, at which 992 …
            run udp --rate 1mbit --interval 1ms | 2 | Give --rate or --interval, not both.
            run udp --rate 1mbit --flood | 2 | --rate: a flood has no rate; leave out --rate or the flood.
            run udp --packets 9 --duration 1s | 2 | Give --packets or --duration, not both.
            run udp --duration 100000h | 2 | --duration: 100000h takes 2880000000000 packets, and a run has at most …
            run udp --engine quic --quic.delivery datagram --size 1429 | 2 | --quic.delivery: a datagram of …
            run udp --duration 10 | 2 | --duration: "10" is not a number with its unit ns, us, ms or s.
            run udp 127.0.0.1:99999 | 2 | HOST[:PORT]: …
            run udp nobody.invalid | 3 | The host "nobody.invalid" is unknown.
            run udp 127.0.0.1:9 | 3 | No receiver answers at 127.0.0.1:9 (Connection refused); start …
            run udp ::1 | 3 | No receiver answers at [::1]:5394 (Connection refused); start …
            run udp 127.0.0.1 --key-file DIR/no.key | 4 | The key file DIR/no.key cannot be read: there …
            serve --key-file DIR/short.key | 4 | The key in DIR/short.key is not 128 random bits, in 32 …
            serve --key-file DIR/pipe | 4 | The key file DIR/pipe is not a regular file.
            sweep DIR/good.yaml --output DIR/out --live --live-key DIR/pipe | 4 | The key file DIR/pipe is not …
            sweep DIR/pipe | 7 | DIR/pipe: this is a pipe or a device; name an experiment file, such as quickstart.yaml.
            sweep DIR/no.yaml | 7 | DIR/no.yaml: the file cannot be read: there is no such file …
            sweep DIR/typo.yaml | 2 | DIR/typo.yaml:2:1: pakets: there is no such key; did you mean …
            sweep DIR/unit.yaml | 2 | DIR/unit.yaml:1:18: pace.interval: 20 is not accepted; it takes …
            sweep DIR/empty.yaml | 2 | DIR/empty.yaml: the file is empty; write what differs …
            sweep DIR/syntax.yaml | 2 | DIR/syntax.yaml:2:1: …
            sweep DIR/good.yaml --set udp.recieve-buffer=1MiB | 2 | --set udp.recieve-buffer: there is no …
            sweep DIR/good.yaml --set packets | 2 | --set "packets" is not key=value, such as …
            sweep --resume DIR/monitor | 2 | DIR/monitor is not the session of a sweep, tune or capacity: its …
            monitor DIR/long.yaml | 2 | DIR/long.yaml:2:12: monitor.metrics: failedSends.packets.xxx…
            monitor 127.0.0.1 --set monitor.jitter=2900ms | 2 | monitor.jitter: 2900ms is not accepted; …
            table DIR | 7 | …
            table DIR --view pepar | 2 | Invalid value for option '--view': "pepar" is not a valid view; …
            lab up ethernet-1000 | 2 | Unknown network "ethernet-1000"; did you mean ethernet-100? …
            codecs --file-bytes 64Kib | 2 | Invalid value for option '--file-bytes': "64Kib" is not a size, …
            codecs --codec gzip9 | 2 | --codec: there is no codec "gzip9"; there are …
            """)
    void reportsProblemPositionAndRemedy(String command, int exitCode, String message) throws Exception {
        CommandResult lagbench =
                CommandResult.of(command.replace("DIR", directory.toString()).split(" ", -1));
        String err = lagbench.err();
        String expected = "lagbench: " + message.replace("DIR", directory.toString());
        assertThat(lagbench.exitCode()).as(err).isEqualTo(exitCode);
        String begin = expected.replaceFirst("\\s*…$", "");
        assertThat(err.lines()) // as root, serve prints a warning first
                .as(err)
                .anyMatch(line -> message.endsWith("…") ? line.startsWith(begin) : line.equals(expected));
        assertThat(err).doesNotContain("\tat ", "Exception");
    }

    @Test
    void explainsHowToBuildMissingProgram() throws Exception {
        List<String> withoutLibrary = List.of("-Dlagbench.native=" + directory);
        try (LagbenchProcess lagbench =
                LagbenchProcess.startWith(withoutLibrary, directory, "run", "ieee1394", "--packets", "10")) {
            assertThat(lagbench.exitCode()).as(lagbench.err()).isEqualTo(5);
            assertThat(lagbench.err()).contains("does not exist; build it with").doesNotContain("\tat ", "Exception");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            serve --directory . --listen 0.0.0.0:0 | 4 | Other hosts can connect to 0.0.0.0:0, so a key is
            serve --directory . --listen 127.0.0.1:PORT | 5 | The receiver cannot listen on 127.0.0.1:PORT
            lab up ethernet-10                          | 5 | A lab consists of network namespaces, which need root
            """)
    void reportsWhyProgramCannotStart(String command, int exitCode, String message) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                LagbenchProcess lagbench = LagbenchProcess.runBy(
                        Namespaces.WITHOUT_THE_RIGHT,
                        directory,
                        replacePort(command, taken).split(" ", -1))) {
            assertThat(lagbench.exitCode()).as(lagbench.err()).isEqualTo(exitCode);
            assertThat(lagbench.err())
                    .contains("lagbench: " + replacePort(message, taken))
                    .doesNotContain("\tat ", "Exception");
            assertThat(lagbench.out()).doesNotContain("stamps");
        }
    }

    private static String replacePort(String text, ServerSocket taken) {
        return text.replace("PORT", Integer.toString(taken.getLocalPort()));
    }
}
