package org.lagbench.report.tune;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;

/** Lines to paste that set what was recommended. */
final class Snippet {
    /** What net.core.rmem_max and wmem_max are unless an administrator has raised them. */
    private static final long KERNEL_LIMIT = 212_992;

    private Snippet() {}

    static String of(TuneCandidate candidate, String transport) {
        List<String> lines = new ArrayList<>();
        List<String> limits = new ArrayList<>();
        boolean isConnectionOriented = Transports.load()
                .find(transport)
                .map(Transport::isConnectionOriented)
                .orElse(false);
        candidate.knobs().forEach((knob, value) -> {
            switch (knob) {
                case "send-buffer" -> {
                    lines.add("sender.setOption(StandardSocketOptions.SO_SNDBUF, " + value + ");");
                    limit(limits, "net.core.wmem_max", value);
                }
                case "receive-buffer" -> {
                    lines.add("receiver.setOption(StandardSocketOptions.SO_RCVBUF, " + value + ");"
                            + (isConnectionOriented ? " // on the listening socket, before bind" : ""));
                    limit(limits, "net.core.rmem_max", value);
                }
                case "no-delay" -> lines.add("sender.setOption(StandardSocketOptions.TCP_NODELAY, " + value + ");");
                case "congestion-control" -> limits.add("sysctl -w net.ipv4.tcp_congestion_control=" + value);
                default -> lines.add("// " + transport + "." + knob + ": " + value);
            }
        });
        StringBuilder text = new StringBuilder("// Java\n");
        lines.forEach(line -> text.append(line).append('\n'));
        if (!limits.isEmpty()) {
            text.append("# as root, where the limit is lower\n");
            limits.forEach(line -> text.append(line).append('\n'));
        }
        StringBuilder experiment = new StringBuilder("# in an experiment\n" + transport + ":\n");
        candidate.knobs().forEach((knob, value) -> experiment
                .append("  ")
                .append(knob)
                .append(": ")
                .append(value)
                .append('\n'));
        return text.append(experiment).toString();
    }

    private static void limit(List<String> lines, String sysctl, String value) {
        if (value.matches("\\d+") && Long.parseLong(value) > KERNEL_LIMIT) {
            lines.add("sysctl -w " + sysctl + "=" + value);
        }
    }
}
