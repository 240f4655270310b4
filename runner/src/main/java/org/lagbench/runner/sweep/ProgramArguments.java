package org.lagbench.runner.sweep;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.ProgramEvent;
import org.lagbench.core.run.RequestedRuns;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;

/**
 * The command line of the sender or receiver of a run, and what it reads from its standard input. Both programs end
 * with this process.
 *
 * @param input the first line for its standard input; null for none yet
 */
record ProgramArguments(List<String> commandLine, @Nullable String input) {
    static final String SENDER = "org.lagbench.sender.Sender";
    static final String RECEIVER = "org.lagbench.receiver.Receiver";

    private static final List<String> AS_CHILD = List.of("--end-with-stdin", "--events");

    /** Options of a side whose packets another program moves: optimizing its code takes more time than it saves. */
    private static final JvmOptions WITHOUT_PACKETS = JvmOptions.parse("-XX:TieredStopAtLevel=1");

    /** Returns the arguments of a receiver that listens at a free port and serves one run. */
    static ProgramArguments receiver(Execution execution, RunSpec run, Hosts hosts) {
        LocalEnd local = new LocalEnd(hosts.dataHost(), 0, null);
        return new ProgramArguments(
                commandLine(hosts.onReceiver(), RECEIVER, execution, run),
                requestLine(execution, run, hosts, local, null, hosts.listen(), false));
    }

    /**
     * Returns the arguments of a program that executes its side of a run when it reads the {@link #requestLine}.
     *
     * @param mainClass {@link #SENDER}, or {@link #RECEIVER} if another host starts the sender
     */
    static ProgramArguments requested(String mainClass, Execution execution, RunSpec run, Hosts hosts) {
        return new ProgramArguments(commandLine(hosts.onSender(), mainClass, execution, run), null);
    }

    /**
     * Returns the request of a run, a line for the standard input of a {@link #requested} program.
     *
     * @param hosts where the two sides are
     * @param peer address of the receiver, or of the other host's {@code lagbench serve}
     * @param reportsIntervals whether a sender reports what the receiver recorded in each second
     */
    static String requestLine(Execution execution, RunSpec run, Hosts hosts, String peer, boolean reportsIntervals) {
        return requestLine(execution, run, hosts, hosts.local(), peer, null, reportsIntervals);
    }

    private static String requestLine(
            Execution execution,
            RunSpec run,
            Hosts hosts,
            LocalEnd local,
            @Nullable String peer,
            @Nullable String listen,
            boolean reportsIntervals) {
        return StrictJson.line(new RequestedRuns.Request(
                request(execution, run),
                execution.session().runs().toString(),
                chrony(execution),
                hosts.keyFile() == null ? null : hosts.keyFile().toString(),
                hosts.key(),
                peer,
                listen,
                null,
                hosts.dataHost(),
                local,
                false,
                true,
                waitsForStart(execution, run),
                reportsIntervals,
                true));
    }

    /** Returns whether a requested program waits for {@link ProgramEvent.Kind#START} after the warm-up. */
    static boolean waitsForStart(Execution execution, RunSpec run) {
        boolean isConcurrent = run.stream() != null && !run.stream().isAlone();
        boolean isFlood = run.point().pace().mode() == Pace.Mode.FLOOD;
        return isConcurrent || (isFlood && execution.experiment().path().lab() != null);
    }

    /** Returns the request of a run of this execution. */
    static RunRequest request(Execution execution, RunSpec run) {
        return new RunRequest(
                run,
                execution.experiment().path().clock().maximumError(),
                execution.experiment().path().machine().maximumOtherLoadPpm(),
                execution.waitForClock(),
                execution.acceptUnsynchronized());
    }

    /** Returns the arguments of a receiver whose senders are on other hosts. */
    static List<String> server(List<String> arguments) {
        List<String> all = new ArrayList<>(AS_CHILD);
        all.add("--senders-elsewhere");
        ChildJvm.command(JvmOptions.NONE, SENDER, List.of()).forEach(word -> all.add("--sender-command=" + word));
        all.addAll(arguments);
        return all;
    }

    private static String chrony(Execution execution) {
        return execution.experiment().path().clock().chrony().toString();
    }

    private static List<String> commandLine(List<String> prefix, String mainClass, Execution execution, RunSpec run) {
        List<String> arguments = RequestedRuns.arguments(execution.session().runs(), run.name());
        List<String> commandLine = new ArrayList<>(prefix);
        EngineSpec program = run.point().program();
        boolean runsOnJvm =
                Engines.load().find(program.engine()).map(Engine::runsOnJvm).orElse(true);
        commandLine.addAll(ChildJvm.command(runsOnJvm ? program.jvmOptions() : WITHOUT_PACKETS, mainClass, arguments));
        return commandLine;
    }
}
