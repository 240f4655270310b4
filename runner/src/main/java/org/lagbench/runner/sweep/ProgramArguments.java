package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.TransferSpec;

/** Builds the command lines of the sender and the receiver of a run. Both programs end with this process. */
final class ProgramArguments {
    private static final String SENDER = "org.lagbench.sender.Sender";
    static final String RECEIVER = "org.lagbench.receiver.Receiver";

    private static final String END_WITH_PARENT = "--end-with-stdin";
    private static final String WAIT_FOR_START = "--wait-for-start";

    private final List<String> arguments = new ArrayList<>(List.of(END_WITH_PARENT));

    private ProgramArguments(Execution execution, @Nullable Path keyFile) {
        add("--directory", execution.session().runs());
        add("--chrony", execution.experiment().clock().chrony());
        if (keyFile != null) {
            add("--key-file", keyFile);
        }
    }

    /** Returns the command line of a receiver of one run at a free port. */
    static List<String> receiver(Execution execution, RunSpec run, Hosts hosts) {
        ProgramArguments receiver = new ProgramArguments(execution, hosts.keyFile());
        receiver.add("--listen", hosts.listen());
        receiver.add("--runs", 1);
        if (hosts.dataHost() != null) {
            receiver.add("--data-host", hosts.dataHost());
        }
        return receiver.commandLine(hosts.onReceiver(), run, RECEIVER);
    }

    /**
     * Returns the command line of the sender of a run.
     *
     * @param hosts where the two sides are
     * @param receiver address of the receiver
     * @param printsIntervals whether it prints what the receiver recorded in each second
     */
    static List<String> sender(
            Execution execution, RunSpec run, Hosts hosts, String receiver, boolean printsIntervals) {
        ProgramArguments sender = new ProgramArguments(execution, hosts.keyFile());
        sender.add("--receiver", receiver);
        if (hosts.dataHost() != null) {
            sender.add("--data-host", hosts.dataHost());
        }
        sender.arguments.addAll(runOptions(execution, run));
        if (printsIntervals) {
            sender.arguments.add("--print-intervals");
        }
        if (waitsForOthers(run)) {
            sender.arguments.add(WAIT_FOR_START);
        }
        return sender.commandLine(hosts.onSender(), run, SENDER);
    }

    /** Returns the command line of the receiver of a run whose sender another host starts. */
    static List<String> caller(Execution execution, RunSpec run, Endpoint server, @Nullable Path keyFile) {
        ProgramArguments receiver = new ProgramArguments(execution, keyFile);
        receiver.add("--call", server);
        runOptions(execution, run).forEach(option -> receiver.arguments.add("--sender-argument=" + option));
        if (waitsForOthers(run)) {
            receiver.arguments.add(WAIT_FOR_START);
            receiver.add(
                    "--packet-interval-ns",
                    run.point().pace().intervalNs() / run.point().pace().burst());
        }
        return receiver.commandLine(List.of(), run, RECEIVER);
    }

    /** Returns the options that describe a run to its sender, each with its value. */
    static List<String> runOptions(Execution execution, RunSpec run) {
        List<String> options = new ArrayList<>(List.of(
                "--name=" + run.name(),
                "--transport=" + run.point().transport(),
                "--packet-bytes=" + run.point().packetBytes(),
                "--packets=" + run.point().packets(),
                "--warm-up-packets=" + run.point().warmUpPackets(),
                "--pace=" + pace(run.point().pace()),
                "--traffic=" + run.point().traffic().kind().text(),
                "--in-flight="
                        + RunParameters.IN_FLIGHT.format(run.point().traffic().inFlight()),
                "--answer-timeout="
                        + Intervals.format(run.point().traffic().answerTimeout().toNanos()),
                "--repeat=" + run.repeat(),
                "--observe=" + Observation.text(run.point().observe()),
                "--engine=" + run.point().program().engine(),
                "--jvm=" + run.point().program().jvmOptions().text(),
                "--drain=" + Intervals.format(run.point().drain().toNanos()),
                "--stall-timeout=" + Intervals.format(run.point().stallTimeout().toNanos()),
                "--clock-max-error="
                        + Intervals.format(
                                execution.experiment().clock().maximumError().toNanos()),
                "--wait-for-clock=" + Intervals.format(execution.waitForClock().toNanos())));
        if (execution.acceptUnsynchronized()) {
            options.add("--accept-unsynchronized");
        }
        TransferSpec transfer = run.point().traffic().transfer();
        if (transfer != null) {
            options.add("--transfer-bytes=" + transfer.bytes());
            options.add("--connection=" + RunParameters.CONNECTION.format(transfer.keepsConnection()));
            CompressionSpec compression = transfer.compression();
            if (compression != null) {
                options.add("--codec=" + compression.codec());
                options.add("--data=" + compression.data());
            }
        }
        run.point().allSettings().asText().forEach((name, value) -> options.add("--set=" + name + "=" + value));
        StreamRole stream = run.stream();
        if (stream != null) {
            options.add("--stream=" + stream.name());
            options.add("--direction=" + stream.direction().text());
            if (!stream.isAlone()) {
                options.add("--beside=" + String.join(",", stream.beside()));
            }
        }
        return options;
    }

    private static boolean waitsForOthers(RunSpec run) {
        return run.stream() != null && !run.stream().isAlone();
    }

    /** Returns the arguments of a receiver whose senders are on other hosts. */
    static List<String> server(List<String> arguments) {
        List<String> all = new ArrayList<>(List.of(END_WITH_PARENT, "--senders-elsewhere"));
        ChildJvm.command(JvmOptions.NONE, SENDER, List.of()).forEach(word -> all.add("--sender-command=" + word));
        all.addAll(arguments);
        return all;
    }

    private void add(String option, Object value) {
        arguments.add(option);
        arguments.add(value.toString());
    }

    private List<String> commandLine(List<String> prefix, RunSpec run, String mainClass) {
        List<String> commandLine = new ArrayList<>(prefix);
        commandLine.addAll(ChildJvm.command(run.point().program().jvmOptions(), mainClass, arguments));
        return commandLine;
    }

    private static String pace(Pace pace) {
        return pace.mode() == Pace.Mode.FLOOD
                ? pace.mode().text()
                : pace.mode().text() + ":" + Intervals.format(pace.intervalNs()) + ":" + pace.burst();
    }
}
