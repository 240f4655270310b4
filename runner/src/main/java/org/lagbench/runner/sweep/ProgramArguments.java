package org.lagbench.runner.sweep;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SideRequests;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Endpoint;

/**
 * The command line of the sender or receiver of a run, and what it is asked to do. Both sides end with this process.
 *
 * @param request the first request; null for none yet
 */
record ProgramArguments(List<String> commandLine, SideMessage.@Nullable Request request) {
    static final String SENDER = "org.lagbench.sender.Sender";
    static final String RECEIVER = "org.lagbench.receiver.Receiver";

    /** Options of a side whose packets another program moves: optimizing its code takes more time than it saves. */
    private static final JvmOptions WITHOUT_PACKETS = JvmOptions.parse("-XX:TieredStopAtLevel=1");

    /** Returns the arguments of a receiver that listens at a free port and serves one run. */
    static ProgramArguments receiver(Execution execution, RunSpec run, Hosts hosts) {
        LocalEnd local = new LocalEnd(hosts.dataHost(), 0, null);
        return new ProgramArguments(
                commandLine(hosts.onReceiver(), RECEIVER, execution, run),
                new SideMessage.Receive(sideRun(execution, run, hosts), hosts.listen(), local));
    }

    /**
     * Returns the arguments of a side that waits for {@link #send} or {@link #receiveFrom}.
     *
     * @param mainClass {@link #SENDER}, or {@link #RECEIVER} if another host starts the sender
     */
    static ProgramArguments requested(String mainClass, Execution execution, RunSpec run, Hosts hosts) {
        return new ProgramArguments(commandLine(hosts.onSender(), mainClass, execution, run), null);
    }

    /**
     * Returns the request for a sender.
     *
     * @param hosts where the two sides are
     * @param receiver where the receiver listens
     * @param reportsIntervals whether it reports what the receiver recorded in each second
     */
    static SideMessage.Send send(
            Execution execution, RunSpec run, Hosts hosts, Endpoint receiver, boolean reportsIntervals) {
        return new SideMessage.Send(
                sideRun(execution, run, hosts),
                receiver,
                hosts.dataHost(),
                hosts.local(),
                false,
                waitsForStart(execution, run),
                reportsIntervals,
                true);
    }

    /** Returns the request for a receiver whose sender another host starts. */
    static SideMessage.ReceiveFrom receiveFrom(Execution execution, RunSpec run, Hosts hosts) {
        return new SideMessage.ReceiveFrom(
                sideRun(execution, run, hosts), hosts.listen(), hosts.local(), waitsForStart(execution, run));
    }

    private static SideMessage.SideRun sideRun(Execution execution, RunSpec run, Hosts hosts) {
        return new SideMessage.SideRun(
                request(execution, run),
                execution.session().runs().toString(),
                execution.experiment().path().clock().chrony(),
                hosts.key());
    }

    /** Returns whether a requested program waits for {@link SideMessage.Start} after the warm-up. */
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

    private static List<String> commandLine(List<String> prefix, String mainClass, Execution execution, RunSpec run) {
        List<String> arguments =
                SideRequests.arguments(execution.session().runs().resolve(run.name()));
        List<String> commandLine = new ArrayList<>(prefix);
        EngineSpec program = run.point().program();
        boolean runsOnJvm =
                Engines.load().find(program.engine()).map(Engine::runsOnJvm).orElse(true);
        commandLine.addAll(ChildJvm.command(runsOnJvm ? program.jvmOptions() : WITHOUT_PACKETS, mainClass, arguments));
        return commandLine;
    }
}
