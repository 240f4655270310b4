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

/** How sender and receiver are told what to do: their command lines. */
final class ProgramArguments {
    private static final String SENDER = "org.lagbench.sender.Sender";
    private static final String RECEIVER = "org.lagbench.receiver.Receiver";

    private ProgramArguments() {}

    /** A receiver of one run on this machine, at a free port, that ends with this process. */
    static List<String> receiver(RunSpec run, Path runs, Hosts hosts, ClockRequirements clocks) {
        List<String> arguments = new ArrayList<>(List.of(
                "--listen",
                hosts.listen(),
                "--directory",
                runs.toString(),
                "--runs",
                "1",
                "--end-with-stdin",
                "--chrony",
                clocks.policy().chrony().toString()));
        if (hosts.dataHost() != null) {
            arguments.addAll(List.of("--data-host", hosts.dataHost()));
        }
        if (hosts.keyFile() != null) {
            arguments.addAll(List.of("--key-file", hosts.keyFile().toString()));
        }
        return on(hosts.onReceiver(), ChildJvm.command(run.program().jvmOptions(), RECEIVER, arguments));
    }

    private static List<String> on(List<String> host, List<String> command) {
        List<String> whole = new ArrayList<>(host);
        whole.addAll(command);
        return whole;
    }

    /**
     * The sender of one run, that ends with this process.
     *
     * @param host what begins its command line
     */
    static List<String> sender(
            RunSpec run,
            Path runs,
            List<String> host,
            String receiver,
            @Nullable Path keyFile,
            ClockRequirements clocks) {
        List<String> arguments = new ArrayList<>(List.of(
                "--receiver",
                receiver,
                "--directory",
                runs.toString(),
                "--name",
                run.name(),
                "--transport",
                run.transport(),
                "--packet-bytes",
                Integer.toString(run.packetBytes()),
                "--packets",
                Long.toString(run.packets()),
                "--warm-up-packets",
                Long.toString(run.warmUpPackets()),
                "--pace",
                pace(run.pace()),
                "--repeat",
                Integer.toString(run.repeat()),
                "--observe",
                Observation.text(run.observe()),
                "--engine",
                run.program().engine(),
                "--jvm",
                run.program().jvmOptions().text(),
                "--drain",
                Intervals.format(run.drain().toNanos()),
                "--stall-timeout",
                Intervals.format(run.stallTimeout().toNanos()),
                "--chrony",
                clocks.policy().chrony().toString(),
                "--clock-max-error",
                Intervals.format(clocks.policy().maximumError().toNanos()),
                "--wait-for-clock",
                Intervals.format(clocks.waitFor().toNanos()),
                "--tell-progress",
                "--end-with-stdin"));
        if (clocks.acceptUnsynchronized()) {
            arguments.add("--accept-unsynchronized");
        }
        run.settings().asText().forEach((name, value) -> {
            arguments.add("--set");
            arguments.add(name + "=" + value);
        });
        StreamRole stream = run.stream();
        if (stream != null) {
            arguments.addAll(List.of(
                    "--stream", stream.name(), "--direction", stream.direction().text()));
            if (!stream.isAlone()) {
                arguments.addAll(List.of("--beside", String.join(",", stream.beside()), "--wait-for-start"));
            }
        }
        if (keyFile != null) {
            arguments.add("--key-file");
            arguments.add(keyFile.toString());
        }
        return on(host, ChildJvm.command(run.program().jvmOptions(), SENDER, arguments));
    }

    private static String pace(Pace pace) {
        return pace.mode() == Pace.Mode.FLOOD
                ? pace.mode().text()
                : pace.mode().text() + ":" + Intervals.format(pace.intervalNs()) + ":" + pace.burst();
    }
}
