package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.core.model.Transports;

/** Code, sysctls and YAML with recommended settings. */
final class TuneSnippet {
    /** The kernel's default of net.core.rmem_max and wmem_max, in bytes. */
    private static final long KERNEL_LIMIT = 212_992;

    private TuneSnippet() {}

    static String of(TuneCandidate candidate, String transport) {
        boolean isConnectionOriented = Transports.load()
                .find(transport)
                .map(found -> found.wire().isStream())
                .orElse(false);
        List<String> java = new ArrayList<>(List.of("// Java"));
        List<String> root = new ArrayList<>(List.of("# as root, if the limit is lower"));
        List<String> experiment = new ArrayList<>(List.of("# in an experiment", transport + ":"));
        candidate.knobs().forEach((knob, value) -> {
            experiment.add("  " + knob + ": " + value);
            switch (knob) {
                case "send-buffer" -> {
                    java.add("sender.setOption(StandardSocketOptions.SO_SNDBUF, " + value + ");");
                    addLimit(root, "net.core.wmem_max", value);
                }
                case "receive-buffer" -> {
                    java.add("receiver.setOption(StandardSocketOptions.SO_RCVBUF, " + value + ");"
                            + (isConnectionOriented ? " // on the listening socket, before bind" : ""));
                    addLimit(root, "net.core.rmem_max", value);
                }
                case "no-delay" -> java.add("sender.setOption(StandardSocketOptions.TCP_NODELAY, " + value + ");");
                case "congestion-control" -> root.add("sysctl -w net.ipv4.tcp_congestion_control=" + value);
                default -> java.add("// " + transport + "." + knob + ": " + value);
            }
        });
        return Stream.of(java, root.size() > 1 ? root : List.<String>of(), experiment)
                .flatMap(List::stream)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static void addLimit(List<String> lines, String sysctl, String value) {
        if (value.matches("\\d+") && Long.parseLong(value) > KERNEL_LIMIT) {
            lines.add("sysctl -w " + sysctl + "=" + value);
        }
    }
}
