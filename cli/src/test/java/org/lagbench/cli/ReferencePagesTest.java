package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.DeparturesCapture;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.PacketError;
import org.lagbench.core.run.Traffic;
import org.lagbench.experiment.ExperimentReader;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Generates the reference pages in {@code docs/reference} and compares them with the files. To write the files, run
 * this test with {@code -Dlagbench.write-reference=true}.
 */
@Tag("one-java")
class ReferencePagesTest {
    private static final Path REFERENCE = Path.of("..", "docs", "reference");
    private static final Path CONFIGS = Path.of("..", "configs");
    private static final Pattern KEY = Pattern.compile("^( *)#?([a-z0-9-]+):(?: +(.*))?$");

    /** A generated page. */
    enum Page {
        /** The options that the documentation's commands may have. */
        OPTIONS("../../validation/lagbench_validation/text/options.txt"),
        EXPERIMENT("experiment.md"),
        NETWORK("network.md"),
        SITES("sites.md"),
        EXIT_CODES("exit-codes.md"),
        PACKET_ERRORS("packet-errors.md"),
        METRICS("metrics.md");

        private final String file;

        Page(String file) {
            this.file = file;
        }
    }

    @ParameterizedTest
    @EnumSource
    void referencePageIsCurrent(Page page) throws Exception {
        String text = generate(page);
        Path file = REFERENCE.resolve(page.file);
        if (Boolean.getBoolean("lagbench.write-reference")) {
            Files.writeString(file, text);
        }
        assertThat(Files.readString(file)).isEqualTo(text);
    }

    @Test
    void filesPageNamesEveryFieldAndCause() throws IOException {
        String text = Files.readString(REFERENCE.resolve("files.md"));
        Map<String, List<String>> captures = new HashMap<>(Map.of(
                SenderCapture.FILE_NAME, SenderCapture.FIELDS,
                ReceiverCapture.FILE_NAME, ReceiverCapture.FIELDS,
                EventsCapture.SENDER_FILE_NAME, EventsCapture.FIELDS,
                EventsCapture.RECEIVER_FILE_NAME, EventsCapture.FIELDS,
                KernelCapture.FILE_NAME, KernelCapture.FIELDS,
                BufferFiles.SENDER_FILE_NAME, BufferFiles.SENDER_FIELDS,
                BufferFiles.RECEIVER_FILE_NAME, BufferFiles.RECEIVER_FIELDS,
                TwoWayExchange.FILE_NAME, TwoWayExchange.FIELDS));
        captures.put(DeparturesCapture.FILE_NAME, DeparturesCapture.FIELDS);
        captures.put(TransferFiles.TRANSFERS_FILE_NAME, TransferFiles.TRANSFERS_FIELDS);
        captures.put(TransferFiles.TCP_FILE_NAME, TransferFiles.TCP_FIELDS);
        captures.put(ChunkCapture.SENDER_FILE_NAME, ChunkCapture.SENDER_FIELDS);
        captures.put(ChunkCapture.RECEIVER_FILE_NAME, ChunkCapture.RECEIVER_FIELDS);
        captures.put(ReceiverCapture.BYTES_FILE_NAME, ReceiverCapture.BYTES_FIELDS);
        captures.forEach((file, fields) -> assertThat(text.lines()
                        .filter(line -> line.contains("`" + file + "`") && line.contains("`" + fields.get(0) + "`")))
                .as(file)
                .singleElement()
                .asString()
                .contains("`" + String.join("`, `", fields) + "`"));
        for (Cause cause : Cause.values()) {
            assertThat(text).contains("| " + cause.code() + " | " + cause.text() + " |");
        }
    }

    @Test
    void everyKeyHasASection() throws IOException {
        String text = Files.readString(REFERENCE.resolve(Page.EXPERIMENT.file));
        assertThat(new ExperimentReader(Transports.load(), Engines.load())
                        .keys()
                        .keySet())
                .allSatisfy(key -> assertThat(text).contains("\n### `" + key + "`\n"));
    }

    private static String generate(Page page) throws IOException, LagbenchException {
        return switch (page) {
            case OPTIONS -> CommandOptions.ofAll();
            case EXPERIMENT -> keys("Experiment files", CONFIGS.resolve("reference.yaml"));
            case SITES -> keys("Site files", CONFIGS.resolve("sites/reference.yaml"));
            case NETWORK -> keys("Network descriptions", CONFIGS.resolve("networks/reference.yaml"));
            case EXIT_CODES -> exitCodes();
            case PACKET_ERRORS -> packetErrors();
            case METRICS -> metrics();
        };
    }

    private static String exitCodes() {
        StringBuilder text = new StringBuilder("# Exit codes\n\nAll programs of lagbench use these codes.\n\n");
        text.append("| code | meaning |\n|---|---|\n");
        for (ExitCode code : ExitCode.values()) {
            text.append("| ")
                    .append(code.code())
                    .append(" | ")
                    .append(code.meaning())
                    .append(" |\n");
        }
        return text.append("\n"
                        + "A run of which no packet arrived is complete: its loss of 100 % is in tables, and a "
                        + "limit of `loss` is missed. `run`,\n"
                        + "`sweep` and `ping` end with 6 nevertheless, over any transport, after they have "
                        + "printed all. `--allow-missing '5 %'`\n"
                        + "accepts a share of such runs and of failed ones, `--allow-missing '100 %'` any "
                        + "number: then the exit code is that of\n"
                        + "the other runs.\n\n"
                        + "`tune` ends with 9 if each candidate that it ran breaks a constraint, and with 10 if none "
                        + "is proven to keep them.\n"
                        + "`capacity` ends with 10 if other programs spoiled all runs that could bound the rate.\n")
                .toString();
    }

    /** A row for each quantity that metrics are of, with what it means for each kind of traffic. */
    private static String metrics() {
        StringBuilder text = new StringBuilder("# Metrics\n\n"
                + "What a metric means depends on the traffic of a run. `–`: it is undefined, and "
                + "a requirement of it is\n"
                + "undecided. Statistics follow the name, as in `lag.q99`.\n\n"
                + "| metrics |");
        for (Traffic traffic : Traffic.values()) {
            text.append(' ').append(traffic.text()).append(" |");
        }
        text.append("\n|---|---|---|---|\n");
        for (MetricMeaning meaning : MetricRegistry.meanings()) {
            text.append("| `").append(meaning.quantity()).append("` |");
            for (Traffic traffic : Traffic.values()) {
                text.append(' ')
                        .append(meaning.meanings().getOrDefault(traffic, "–"))
                        .append(" |");
            }
            text.append('\n');
        }
        text.append("\n## Ids\n\n`--require` and `compare` accept each id, and `summary.json` has the values by "
                + "them. `*` stands for the name of a part,\n"
                + "an estimator or an error.\n\n"
                + "| id | metric | type | unit | better "
                + "| [repeats](../explanation/statistics.md#values-over-repeats) |\n"
                + "|---|---|---|---|---|---|\n");
        for (Metric<?> metric : MetricRegistry.all()) {
            Combination combined = metric.combination();
            text.append("| `%s` | %s: %s | %s | %s | %s | %s |\n"
                    .formatted(
                            metric.id(),
                            metric.title(),
                            metric.statistic(),
                            metric.type().name().toLowerCase(Locale.ROOT),
                            metric.unit(),
                            metric.smallerIsBetter() ? "lower" : "higher",
                            combined == Combination.POOLED
                                    ? "pooled"
                                    : combined.text().replace('-', ' ')));
        }
        return text.toString();
    }

    /** A row for each error that belongs to a packet, equal for all engines over UDP, and one for all others. */
    private static String packetErrors() throws LagbenchException {
        Transport udp = Transports.load().named("udp");
        String engines = Engines.load().all().stream()
                .filter(engine -> engine.serves(udp, Traffic.ONE_WAY))
                .map(Engine::name)
                .collect(Collectors.joining(", "));
        StringBuilder text = new StringBuilder("# Errors of packets\n\n"
                + "Some errors of a system call belong to one datagram. They cost at most that "
                + "packet: it counts as lost,\n"
                + "and `run.json` has their number as `failedSends`. The network reports some of "
                + "them later, by the next\n"
                + "call, which then sends nothing. That call is repeated once, and `retriedSends` counts it.\n"
                + "All engines have this list; it also holds for replies.\n\n"
                + "| error | number | what it says about packets | UDP: " + engines
                + " | TCP and other connections: all engines |\n|---|---|---|---|---|\n");
        for (PacketError error : PacketError.values()) {
            text.append("| `")
                    .append(error.name())
                    .append("` | ")
                    .append(error.number())
                    .append(" | ")
                    .append(error.meaning())
                    .append(" | ")
                    .append(error.isReported() ? "retried once, then counted" : "counted")
                    .append(" | ends the run |\n");
        }
        return text.append("| any other | | | ends the run | ends the run |\n\n")
                .append("With `udp.offload: on`, `EINVAL` and `EMSGSIZE` end the run if a packet does "
                        + "not fit the path's\n"
                        + "MTU, because no packet of this size would pass.\n\n")
                .append("Datagrams of `quic.delivery: datagram` count by the packets in them: several small ones may "
                        + "share one. With\n"
                        + "`quic.delivery: stream` no error is counted, and QUIC sends the bytes again.\n"
                        + "\n"
                        + "`aeron` counts each refused datagram, also one without a packet, and repeats no call. It "
                        + "does not report `ECONNREFUSED`.\n"
                        + "It sends lost packets again, so that most of them arrive later.\n\n")
                .append("Packets that this host drops without an error, because it does not find the link address of "
                        + "their next hop, count as\n"
                        + "`EHOSTUNREACH`: the neighbor tables' `unresolved_discards` (ip-ntable(8)) of all network "
                        + "namespaces, if this one has such\n"
                        + "a hop, and, if a hop was not found, `OutDestUnreachs`. What still waits at the end of the "
                        + "run counts as on the wire.\n\n")
                .append("The sockets of SRT and RIST are their libraries', which ignore these errors and may "
                        + "send a packet again. All errors of\n"
                        + "the table are counted there, none ends the run, and a copy counts as a packet.\n"
                        + "\n"
                        + "## Where packets are lost\n"
                        + "\n"
                        + "Each lost packet has one place. `lossPlaces` of the summary has their numbers, "
                        + "which add up to the lost packets, and the\n"
                        + "first lines of tables say what to do.\n"
                        + "\n"
                        + "| place | `lossPlaces` | over UDP: java, java-nio, c, netty | aeron, quic | SRT, "
                        + "RIST |\n"
                        + "|---|---|---|---|---|\n"
                        + "| the sender's host did not send them | `notSent` | the errors above but `ENOBUFS` | "
                        + "the same, of datagrams | the same, of datagrams |\n"
                        + "| a queue of the sender's host | `ownQueue` | `ENOBUFS`, or the network namespace's "
                        + "`SndbufErrors` and `OutDiscards` (nstat(8)) | the same | the same |\n"
                        + "| the wire | `wire` | all others | all others | – |\n"
                        + "| damaged on the way | `damaged` | the socket's drops and the namespace's "
                        + "`InCsumErrors`; damaged [headers](files.md#packet) | the namespace's `InCsumErrors` | "
                        + "the same |\n"
                        + "| the receive buffer | `receiveBuffer` | the socket's drops and the namespace's "
                        + "`RcvbufErrors` and `MemErrors` | the namespace's `RcvbufErrors` and `MemErrors` | "
                        + "the same |\n"
                        + "| the receiver's kernel, for another reason | `receiverOther` | the [record of "
                        + "drops](../explanation/observation.md#drops) | – | – |\n"
                        + "| the sender's library | `senderLibrary` | – | quic: datagrams that waited for "
                        + "acknowledgments until its queue was full, or until the end of `drain` | its counter of "
                        + "packets that it did not send |\n"
                        + "| given up by a library, or too late for it | `givenUp` | – | – | all others |\n"
                        + "\n"
                        + "Counts of a network namespace have datagrams of all its programs, and those of a "
                        + "sender also the packets around the\n"
                        + "recorded ones. So they take only lost packets that no exact count has. Damage is "
                        + "assumed to meet recorded packets and those\n"
                        + "around them alike. A datagram of `quic` that a full buffer dropped counts as many packets "
                        + "as others had on average.\n")
                .toString();
    }

    /** A section for each key of a commented YAML file, which has the key's comment, default and accepted values. */
    private static String keys(String title, Path yaml) throws IOException {
        JsonNode values = new YAMLMapper().readTree(Files.readString(yaml, StandardCharsets.UTF_8));
        StringBuilder text = new StringBuilder("# " + title + "\n\nGenerated from [`configs/"
                + CONFIGS.relativize(yaml) + "`](../../configs/" + CONFIGS.relativize(yaml)
                + "), which can be used as a template.\n");
        List<String> comment = new ArrayList<>();
        String section = "";
        boolean begun = false;
        for (String line : Files.readAllLines(yaml)) {
            Matcher key = KEY.matcher(line);
            if (line.isBlank()) {
                if (!begun) {
                    text.append('\n').append(paragraphs(comment));
                    begun = true;
                }
                comment.clear();
            } else if (key.matches() && !line.strip().startsWith("# ")) {
                boolean nested = !key.group(1).isEmpty();
                String name = nested ? section + "." + key.group(2) : key.group(2);
                section = nested ? section : key.group(2);
                JsonNode value = values;
                for (String part : name.split("\\.", -1)) {
                    value = value.path(part);
                }
                text.append("\n### `").append(name).append("`\n\n");
                text.append(description(String.join("\n", comment), value));
                comment.clear();
            } else {
                comment.add(line.strip().replaceFirst("^# ?", ""));
            }
        }
        return text.toString();
    }

    private static String description(String comment, JsonNode value) {
        boolean hasDefault = comment.contains("Default:") || value.isObject() || value.isMissingNode();
        return paragraphs(comment.lines().toList())
                + (hasDefault ? "" : "\nDefault: `" + value.toString().replace("\"", "") + "`.\n");
    }

    /** Returns lines as Markdown: indented ones as preformatted text. */
    private static String paragraphs(List<String> lines) {
        StringBuilder text = new StringBuilder();
        boolean preformatted = false;
        for (String line : lines) {
            boolean indented = line.startsWith("  ");
            if (line.isEmpty() || (indented != preformatted && !text.isEmpty())) {
                text.append(text.toString().endsWith("\n\n") ? "" : "\n");
            }
            preformatted = indented;
            if (!line.isEmpty()) {
                text.append(indented ? "    " + line : line.replace("<", "\\<")).append('\n');
            }
        }
        return text.toString();
    }
}
