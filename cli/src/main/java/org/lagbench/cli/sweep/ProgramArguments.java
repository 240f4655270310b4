package org.lagbench.cli.sweep;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.time.Intervals;

/** Builds the command lines of the sender and the receiver of a run. Both programs end with this process. */
final class ProgramArguments {
    private static final String SENDER = "org.lagbench.sender.Sender";
    private static final String RECEIVER = "org.lagbench.receiver.Receiver";

    private final List<String> arguments = new ArrayList<>(List.of("--end-with-stdin"));

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
     * @param prefix beginning of the command line
     * @param receiver address of the receiver
     */
    static List<String> sender(
            Execution execution, RunSpec run, List<String> prefix, String receiver, @Nullable Path keyFile) {
        ProgramArguments sender = new ProgramArguments(execution, keyFile);
        sender.add("--receiver", receiver);
        sender.add("--name", run.name());
        sender.add("--transport", run.transport());
        sender.add("--packet-bytes", run.packetBytes());
        sender.add("--packets", run.packets());
        sender.add("--warm-up-packets", run.warmUpPackets());
        sender.add("--pace", pace(run.pace()));
        sender.add("--repeat", run.repeat());
        sender.add("--observe", Observation.text(run.observe()));
        sender.add("--engine", run.program().engine());
        sender.add("--jvm", run.program().jvmOptions().text());
        sender.add("--drain", Intervals.format(run.drain().toNanos()));
        sender.add("--stall-timeout", Intervals.format(run.stallTimeout().toNanos()));
        sender.add(
                "--clock-max-error",
                Intervals.format(execution.experiment().clock().maximumError().toNanos()));
        sender.add("--wait-for-clock", Intervals.format(execution.waitForClock().toNanos()));
        sender.arguments.add("--print-progress");
        if (execution.acceptUnsynchronized()) {
            sender.arguments.add("--accept-unsynchronized");
        }
        run.settings().asText().forEach((name, value) -> sender.add("--set", name + "=" + value));
        StreamRole stream = run.stream();
        if (stream != null) {
            sender.add("--stream", stream.name());
            sender.add("--direction", stream.direction().text());
            if (!stream.isAlone()) {
                sender.add("--beside", String.join(",", stream.beside()));
                sender.arguments.add("--wait-for-start");
            }
        }
        return sender.commandLine(prefix, run, SENDER);
    }

    private void add(String option, Object value) {
        arguments.add(option);
        arguments.add(value.toString());
    }

    private List<String> commandLine(List<String> prefix, RunSpec run, String mainClass) {
        List<String> commandLine = new ArrayList<>(prefix);
        commandLine.addAll(ChildJvm.command(run.program().jvmOptions(), mainClass, arguments));
        return commandLine;
    }

    private static String pace(Pace pace) {
        return pace.mode() == Pace.Mode.FLOOD
                ? pace.mode().text()
                : pace.mode().text() + ":" + Intervals.format(pace.intervalNs()) + ":" + pace.burst();
    }
}
