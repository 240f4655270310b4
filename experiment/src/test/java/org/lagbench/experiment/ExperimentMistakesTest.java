package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages name the place, the key, the value and the accepted values. */
class ExperimentMistakesTest {
    private final ExperimentMistakes mistakes;

    ExperimentMistakesTest(@TempDir Path directory) {
        this.mistakes = new ExperimentMistakes(directory);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            packtes: 5                    | 1:1: packtes: there is no such key; did you mean packets?
            warmup_packets: 5             | 1:1: warmup_packets: there is no such key; did you mean warm-up-packets?
            tpc: {}                       | 1:1: tpc: there is no such key; did you mean tcp?
            tcp: {nodelay: true}          | 1:7: tcp.nodelay: there is no such key; did you mean tcp.no-delay?
            tcp: {fast: true}             | 1:7: tcp.fast: there is no such key; there are no-delay, send-buffer, \
            receive-buffer.
            pace: {rate: 5}               | 1:8: pace.rate: there is no such key; there are mode, interval, burst.
            packets: 0                    | 1:10: packets: 0 is not accepted; it takes a whole number from 1 to \
            1000000000.
            packets: 1000000001           | 1:10: packets: 1000000001 is not accepted; it takes a whole number from 1 \
            to 1000000000.
            packets: 1e3                  | 1:10: packets: 1e3 is not accepted; it takes a whole number from 1 to \
            1000000000.
            packets: many                 | 1:10: packets: "many" is not accepted; it takes a whole number from 1 to \
            1000000000.
            packets: [1, 2]               | 1:10: packets: a list is not accepted; it takes a whole number from 1 to \
            1000000000.
            packets: {a: 1}               | 1:10: packets: a mapping is not accepted; it takes a whole number from 1 \
            to 1000000000.
            packets:                      | 1:9: packets: nothing is not accepted; it takes a whole number from 1 to \
            1000000000.
            warm-up-packets: -1           | 1:18: warm-up-packets: -1 is not accepted; it takes a whole number from 0 \
            to 1000000000.
            repeats: 1001                 | 1:10: repeats: 1001 is not accepted; it takes a whole number from 1 to 1000.
            name: ../up                   | 1:7: name: "../up" is not accepted; it takes up to 100 letters, digits, \
            dots, hyphens and underscores, the first a letter or digit.
            transports: [tcp, upd]        | 1:19: transports: "upd" is not a transport; did you mean udp?
            transports: [tcp, tcp]        | 1:19: transports: "tcp" is in the list twice.
            transports: []                | 1:13: transports: an empty list is not accepted; it takes one or several \
            of bus, tcp, udp.
            packet-bytes: [992, 23]       | 1:21: packet-bytes: 23 is not accepted; it takes a size from 24 bytes to \
            the transport's maximum (16KiB, 16kB or plain), or a list of these.
            packet-bytes: [24, 024]       | 1:20: packet-bytes: 024 is in the list twice.
            packet-bytes: [[24]]          | 1:16: packet-bytes: a list is not accepted; it takes a size from 24 \
            bytes to the transport's maximum (16KiB, 16kB or plain), or a list of these.
            pace: fast                    | 1:7: pace: "fast" is not accepted; it takes mode, interval and burst, the \
            word flood, or a list of these.
            pace: {mode: nap}             | 1:14: pace.mode: "nap" is not accepted; it takes flood or sleep or spin or \
            hybrid.
            pace: {interval: 125}         | 1:18: pace.interval: 125 is not accepted; it takes a length of time from \
            1us to 10s (a number with its unit ns, us, ms or s).
            pace: {interval: 999ns}       | 1:18: pace.interval: 999ns is not accepted; it takes a length of time from \
            1us to 10s (a number with its unit ns, us, ms or s).
            pace: {interval: 10.001s}     | 1:18: pace.interval: 10.001s is not accepted; it takes a length of time \
            from 1us to 10s (a number with its unit ns, us, ms or s).
            pace: {mode: flood, interval: 1s} | 1:31: pace.interval: a flood has neither interval nor bursts; leave it \
            out, or write pace: flood.
            pace: {mode: flood, burst: 2} | 1:28: pace.burst: a flood has neither interval nor bursts; leave it out, \
            or write pace: flood.
            pace: {burst: 0}              | 1:15: pace.burst: 0 is not accepted; it takes a whole number from 1 to \
            100000.
            pace: {burst: 100001}         | 1:15: pace.burst: 100001 is not accepted; it takes a whole number from 1 \
            to 100000.
            pace: {interval: 0.1ns}       | 1:18: pace.interval: 0.1ns is not accepted; it takes a length of time from \
            1us to 10s (a number with its unit ns, us, ms or s).
            pace: [flood, {mode: flood}]  | 1:15: pace: this mapping is in the list twice.
            engine: rust                  | 1:9: engine: "rust" is not an engine; there are java, java-nio, c.
            engine: jaav                  | 1:9: engine: "jaav" is not an engine; did you mean java?
            jvm: [default, -jar x.jar]    | 1:16: jvm: "-jar" is not accepted; a JVM option here begins with -X or -D.
            jvm: -Xmx64m -cp /tmp         | 1:6: jvm: "-cp" is not accepted; a JVM option here begins with -X or -D.
            jvm: -Xint -Xrunjdwp:suspend=y | 1:6: jvm: "-Xrunjdwp:suspend=y" may load code, open a port or \
            write a file. To use it, give --allow-jvm-options to sweep, tune, run or monitor.
            jvm: [-Xint, -Dlagbench.packetio=.] | 1:14: jvm: "-Dlagbench.packetio=." may load code, open a port or \
            write a file. To use it, give --allow-jvm-options to sweep, tune, run or monitor.
            jvm: ["-Xint  -Xbatch", -Xint -Xbatch] | 1:25: jvm: "-Xint -Xbatch" is in the list twice.
            observe: [auto, events]       | 1:10: observe: auto decides whether to record events; leave auto or \
            events out of observe.
            observe: [events, gc]         | 1:19: observe: "gc" is not accepted; it takes scheduler or jvm or \
            departures or arrivals or drops or retransmissions or timestamping or events or auto, or a list of these, \
            or none.
            order: random                 | 1:8: order: "random" is not accepted; it takes shuffled, or pairs-of and \
            the name of an axis.
            order: pairs-of engine        | 1:8: order: there are no pairs of engine, because it has one value; the \
            axes with several values are transport, packet-bytes.
            order: pairs-of wind          | 1:8: order: there are no pairs of wind, because it is not an axis; the \
            axes with several values are transport, packet-bytes.
            seed: -3                      | 1:7: seed: -3 is not accepted; it takes a whole number from 0 to \
            9223372036854775807, or auto.
            seed: 9223372036854775808     | 1:7: seed: 9223372036854775808 is not accepted; it takes a whole number \
            from 0 to 9223372036854775807, or auto.
            receiver: lab7                | 1:11: receiver: "lab7" is not accepted; it takes local, or host:port, with \
            an IPv6 address in brackets ([::1]:5001).
            data-host: 192.0.2.7          | 1:1: data-host: both sides run on this machine, so it has no effect; leave \
            it out, or name the receiver's host.
            local: {bind: 127.0.0.5}      | 1:9: local.bind: both sides run on this machine, so it has no effect; \
            leave it out, or name the receiver's host.
            local: {data-port: 5700}      | 1:9: local.data-port: both sides run on this machine, so it has no effect; \
            leave it out, or name the receiver's host.
            local: {device: nosuch0}      | 1:9: local.device: both sides run on this machine, so it has no effect; \
            leave it out, or name the receiver's host.
            receiver: lab7:65536          | 1:11: receiver: "lab7:65536" is not accepted; it takes local, or \
            host:port, with an IPv6 address in brackets ([::1]:5001).
            key-file: ""                  | 1:11: key-file: "" is not accepted; it takes a path, or null.
            key-file: "a\\0b"             | 1:11: key-file: "a?b" is not accepted; it takes a path, or null.
            drain: 61s                    | 1:8: drain: 61s is not accepted; it takes a length of time from 0s to 60s \
            (a number with its unit ns, us, ms or s), or a list of these.
            drain: 0.5ns                  | 1:8: drain: 0.5ns is not accepted; it takes a length of time from 0s to \
            60s (a number with its unit ns, us, ms or s), or a list of these.
            stall-timeout: 10m            | 1:16: stall-timeout: 10m is not accepted; it takes a length of time from \
            1s to 3600s (a number with its unit ns, us, ms or s), or a list of these.
            tcp: fast                     | 1:6: tcp: "fast" is not accepted; it takes settings: no-delay, \
            send-buffer, receive-buffer.
            tcp: {no-delay: yes}          | 1:17: tcp.no-delay: "yes" is not accepted; it takes true or false, or a \
            list of these.
            tcp: {send-buffer: 999999999999999GiB} | 1:20: tcp.send-buffer: 999999999999999GiB is not accepted; it \
            takes a size from 2048 to 1073741824 bytes (64KiB, 64kB or plain), or auto, or a list of these.
            tcp: {send-buffer: [64KiB, 65536]} | 1:28: tcp.send-buffer: 65536 is in the list twice.
            bus: {speed: 800}             | 1:14: bus.speed: 800 is not accepted; it takes 100 or 200 or 400, or a \
            list of these.
            bus: {channel: 64}            | 1:16: bus.channel: 64 is not accepted; it takes a whole number from 0 to \
            63, or auto, or a list of these.
            """)
    void reportsLineAndColumn(String yaml, String sentence) throws IOException {
        assertThat(mistakes.in(yaml)).containsExactly("try.yaml:" + sentence);
    }

    @Test
    void reportsMistakesInStreams() throws Exception {
        assertThat(
                        mistakes.in(
                                """
                        transports: udp
                        receiver: lab:5001
                        streams:
                          - {name: a, transport: udp}
                          - {name: a b, transport: upd, packet-bytes: 24}
                          - {name: c, transport: bus, packet-bytes: 4097}
                          - {name: d, transport: udp, packet-bytes: 24, pace: flood, duration: 1s}
                          - {name: e, transport: tcp, packet-bytes: 24, settings: {send-buffer: [auto, 64KiB]}}
                          - {name: f, transport: udp, packet-bytes: 24, direction: up}
                          - {name: g, transport: udp, packet-bytes: 24, packets: 5, duration: 1s}
                        """))
                .containsExactly(
                        "try.yaml:1:1: transports: each of the streams has its own; leave this out, or take the streams"
                                + " out.",
                        "try.yaml:2:1: receiver: streams are received on this machine, each by its own receiver,"
                                + " because a receiver that is already running serves one run at a"
                                + " time; leave it at local.",
                        "try.yaml:4:5: streams.packet-bytes: it is missing; it takes a size from 24 bytes to the"
                                + " transport's maximum (16KiB, 16kB or plain).",
                        "try.yaml:5:12: streams.name: \"a b\" is not accepted; it takes up to 30 letters, digits,"
                                + " hyphens and underscores, the first a letter or digit.",
                        "try.yaml:5:28: streams.transport: \"upd\" is not accepted; it takes one of bus, tcp, udp.",
                        "try.yaml:6:45: packet-bytes: 4097 is not accepted; bus takes a whole number from 24 to 4096.",
                        "try.yaml:7:62: streams.duration: a flood has no duration; set packets instead.",
                        "try.yaml:8:49: streams.settings.send-buffer: a stream takes one value, not a list.",
                        "try.yaml:9:60: streams.direction: \"up\" is not accepted; it takes forward or backward.",
                        "try.yaml:10:61: streams.duration: set packets or duration, not both.");
    }

    @Test
    void refusesUnsupportedEngine() throws IOException {
        String onTheBus = "engine: c does not send and receive over bus; take bus out of the experiment, or use engine:"
                + " java.";
        assertThat(mistakes.in("transports: [udp, bus]\nengine: [java, c]\nobserve: [events, timestamping]"))
                .satisfiesExactly(
                        mistake -> assertThat(mistake).startsWith("try.yaml:2:16: " + onTheBus),
                        mistake -> assertThat(mistake)
                                .isEqualTo(
                                        "try.yaml:3:10: engine: c does not record timestamping; leave timestamping out"
                                                + " of observe, or use engine: java."));
        assertThat(
                        mistakes.in(
                                """
                        engine: c
                        streams:
                          - {name: audio, transport: udp, packet-bytes: 24, pace: flood}
                          - {name: video, transport: bus, packet-bytes: 24, pace: flood}
                        """))
                .singleElement()
                .asString()
                .startsWith("try.yaml:1:9: " + onTheBus);
        assertThat(mistakes.in("traffic: [one-way, round-trip]\nobserve: [jvm, arrivals]"))
                .containsExactly("try.yaml:2:10: observe: arrivals records one-way traffic only; leave arrivals out of"
                        + " observe, or round-trip out of traffic.");
    }

    @Test
    void refusesSettingsThatAnEngineDoesNotSupport() throws IOException {
        assertThat(mistakes.in("transports: tcp\nengine: [java, java-nio]\ntcp: {send-buffer: [64KiB, 1MiB]}"))
                .containsExactly("try.yaml:3:1: java-nio takes no send-buffer of 1048576; take a smaller one.");
    }

    @Test
    void locatesPacketTooLargeForTransport() throws Exception {
        assertThat(
                        mistakes.in(
                                """
                        transports: [udp, bus]
                        packet-bytes:
                          - 24
                          - 4096
                          - 4097
                          - 65508
                        """))
                .containsExactly(
                        "try.yaml:5:5: packet-bytes: 4097 is not accepted; bus takes a whole number from 24 to 4096.",
                        "try.yaml:6:5: packet-bytes: 65508 is not accepted; udp takes a whole number from 24 to 65507.",
                        "try.yaml:6:5: packet-bytes: 65508 is not accepted; bus takes a whole number from 24 to 4096.");
    }

    @Test
    void namesSettingThatLimitsPacketSize() throws Exception {
        assertThat(mistakes.in("transports: bus\npacket-bytes: 2049\nbus: {channel: 5, speed: [400, 200]}\n"))
                .containsExactly("try.yaml:2:15: packet-bytes: 2049 is not accepted;"
                        + " bus takes a whole number from 24 to 2048 with speed: 200.");
    }

    @Test
    void reportsContradictorySettingsOnce() throws Exception {
        assertThat(mistakes.in("transports: bus\npacket-bytes: [24, 101, 992]\nbus: {channel: [12, 13]}\n"))
                .containsExactly("try.yaml:3:1: bus: channel 13 takes no more than 100 bytes; take another.");
        assertThat(mistakes.in("transports: bus\n", "bus.channel=13"))
                .containsExactly("--set bus: channel 13 takes no more than 100 bytes; take another.");
    }

    @Test
    void refusesIntervalTooShortForMedium() throws Exception {
        assertThat(mistakes.in("pace:\n  - interval: 124us\n    mode: spin\n"))
                .containsExactly("try.yaml:2:15: pace.interval: 124us is not accepted;"
                        + " it must be 125us or more with bus, or the pace flood.");
    }

    @Test
    void refusesBurstTooLongForBus() throws Exception {
        assertThat(mistakes.in("transports: [bus]\npackets: 1\npace: {interval: 16.666667ms, burst: 134}\n"))
                .containsExactly("try.yaml:3:18: pace.interval: 16666667ns is not accepted;"
                        + " it must be 16750us or more with bursts of 134 packets over bus, or the pace flood.");
    }

    @Test
    void refusesIntervalAsLongAsStallTimeout() throws Exception {
        assertThat(mistakes.in("pace: {interval: 2s}\nstall-timeout: 2s\n"))
                .containsExactly(
                        "try.yaml:1:18: pace.interval: 2s is not accepted; it must be shorter than stall-timeout, 2s.");
    }

    @Test
    void refusesTooManyRuns() throws Exception {
        assertThat(
                        mistakes.in(
                                """
                        repeats: 1000
                        packet-bytes: [24, 25, 26, 27, 28, 29, 30, 31, 32, 33]
                        tcp: {send-buffer: [2048, 2049, 2050], receive-buffer: [2048, 2049, 2050]}
                        """))
                .containsExactly(
                        "try.yaml: this makes more runs than 100000; take values out of the lists, or repeats.");
    }

    @Test
    void reportsAllMistakesInOrder() throws Exception {
        assertThat(
                        mistakes.in(
                                """
                        stall-timeout: soon
                        packets: 5
                        packets: 6
                        tcp:
                          no-delay: perhaps
                        repeat: 5
                        packet-bytes: [24, 65508]
                        """))
                .extracting(line -> line.replaceAll(";.*", ""))
                .containsExactly(
                        "try.yaml:1:16: stall-timeout: \"soon\" is not accepted",
                        "try.yaml:3:1: packets: this key is already set, in line 2.",
                        "try.yaml:5:13: tcp.no-delay: \"perhaps\" is not accepted",
                        "try.yaml:6:1: repeat: there is no such key",
                        "try.yaml:7:20: packet-bytes: 65508 is not accepted",
                        "try.yaml:7:20: packet-bytes: 65508 is not accepted");
    }

    @Test
    void rejectsKeysOfOtherTraffic() throws Exception {
        assertThat(mistakes.in("transports: udp\nin-flight: unlimited\nreply-timeout: 2s\n"))
                .containsExactly(
                        "try.yaml:2:1: in-flight: only traffic: round-trip has it; leave it out, or name that traffic.",
                        "try.yaml:3:1: reply-timeout: only traffic: round-trip has it; leave it out, or name that"
                                + " traffic.");
        assertThat(mistakes.in("traffic: round-trip\nstall-timeout: 2s\nreply-timeout: 2s\n"))
                .containsExactly("try.yaml:3:16: reply-timeout: 2s is not accepted; it must be shorter than"
                        + " stall-timeout, 2s.");
        assertThat(mistakes.in("traffic: both\n"))
                .containsExactly("try.yaml:1:10: traffic: \"both\" is not accepted; it takes one-way or round-trip or"
                        + " transfer, or a list of these.");
    }

    @Test
    void rejectsPacketsWithoutHeader() throws Exception {
        String reason = "packet-bytes: 1 is not accepted; it takes a size from 24 bytes to the transport's maximum"
                + " (16KiB, 16kB or plain),"
                + " or a list of these. Smaller packets have no header: they need in-flight: 1 and no other kind of"
                + " traffic beside round-trip.";
        String points = "transports: tcp\npacket-bytes: 1\n";
        assertThat(mistakes.in(points + "traffic: round-trip\nin-flight: unlimited\n"))
                .containsExactly("try.yaml:2:15: " + reason);
        assertThat(mistakes.in(points + "traffic: [round-trip, one-way]\n"))
                .containsExactly("try.yaml:2:15: " + reason);
        assertThat(mistakes.in(points.replace("tcp", "udp") + "traffic: round-trip\n"))
                .containsExactly("try.yaml:2:15: packet-bytes: 1 is not accepted; udp takes a whole number from 24 to"
                        + " 65507.");
    }

    @Test
    void countsMistakesBeyondTwenty() throws Exception {
        StringBuilder yaml = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            yaml.append("wrong").append(i).append(": 1\n");
        }
        assertThat(mistakes.in(yaml.toString())).hasSize(21).last().isEqualTo("… and 49980 more mistakes.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            packets=0                  | --set packets: 0 is not accepted; it takes a whole number from 1 to 1000000000.
            packet-bytes=[24, 65508]   | --set packet-bytes: 65508 is not accepted; udp takes a whole number from 24 \
            to 65507.
            packet-bytes=24,992        | --set packet-bytes: "24,992" is not accepted; it takes a size from 24 bytes \
            to the transport's maximum (16KiB, 16kB or plain), or a list of these; a list is written [a, b].
            transports=tcp,udp         | --set transports: "tcp,udp" is not a transport; a list is written [a, b].
            packet-bytes=[24           | --set packet-bytes: this is not YAML: expected ',' or ']', but got <stream \
            end>.
            tcp.no-delya=true          | --set tcp.no-delya: there is no such key; did you mean tcp.no-delay?
            tcp.send-buffer=1          | --set tcp.send-buffer: 1 is not accepted; it takes a size from 2048 to \
            1073741824 bytes (64KiB, 64kB or plain), or auto, or a list of these.
            pakets=1                   | --set pakets: there is no such key; did you mean packets?
            pace.interval=1            | --set pace.interval: 1 is not accepted; it takes a length of time from 1us to \
            10s (a number with its unit ns, us, ms or s).
            repeats.more=1             | --set repeats.more: repeats is 2 here; set the whole of it: --set repeats=….
            packets                    | --set "packets" is not key=value, such as packets=1000 or tcp.no-delay=false.
            =1                         | --set "=1" is not key=value, such as packets=1000 or tcp.no-delay=false.
            tcp..no-delay=true         | --set "tcp..no-delay=true" is not key=value, such as packets=1000 or \
            tcp.no-delay=false.
            packets=*a                 | --set packets: aliases (*name) are not accepted; write the value out.
            """)
    void namesOverrideWithMistake(String override, String sentence) throws IOException {
        assertThat(mistakes.in("transports: [tcp, udp]\nrepeats: 2\npace: {mode: spin}\n", override))
                .containsExactly(sentence);
    }
}
