package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.commandline.ChronyOption;
import org.lagbench.commandline.HelpText;
import org.lagbench.control.ClockMonitor;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlReader;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ChronyTracking;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.NanosecondsText;
import org.lagbench.core.clock.OffsetInterval;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.RunParameters;
import org.lagbench.runner.machine.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench clock}: the state of this host's clock, or of this host's and a receiver's, once a second. */
@Listed(in = HelpSection.HOSTS, order = 20)
@Command(
        name = "clock",
        description = {
            "Show the error bound of this host's clock, or the bound of the offset between it and a receiver's clock,"
                    + " with its components.",
            "",
            "Every lag of a run between the two hosts is uncertain by this bound."
        },
        footer = {
            "  lagbench clock",
            "  lagbench clock 192.0.2.7 --key-file ~/lagbench.key",
            "  lagbench clock 192.0.2.7:5394 --key-file ~/lagbench.key --count 60 --json"
        })
public final class ClockCommand extends Subcommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description = "Host where lagbench serve runs; port 5394 unless given. Without it, only this host's"
                    + " clock is shown.")
    private @Nullable String receiver;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the receiver's shared key (default: the variable " + SharedKey.VARIABLE + ").")
    private @Nullable Path keyFile;

    @Mixin
    private final ChronyOption chrony = new ChronyOption();

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "How many times to show it, once a second; 0 for no limit (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(names = "--json", description = "Print a JSON object each time.")
    private boolean json;

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        require(count >= 0, "--count: " + count + " is below the minimum of 0.");
        ChronyClient chronyd = chrony.client();
        if (receiver == null) {
            repeat(() -> {
                ClockState state = ClockState.ask(chronyd);
                if (json) {
                    out().println(Json.text(state));
                } else {
                    print("This host: ", state.sentence());
                }
            });
        } else {
            showBoth(chronyd, receiver);
        }
        return ExitCode.OK.code();
    }

    private void showBoth(ChronyClient chronyd, String endpoint)
            throws LagbenchException, InterruptedException, IOException {
        ReceiverAccess access =
                ReceiverAccess.request(ReceiverAccess.endpoint("HOST[:PORT]", endpoint), keyFile, shutdown());
        try (ControlConnection connection = access.connect();
                ControlReader reader = new ControlReader(connection);
                ClockMonitor monitor = new ClockMonitor(
                        connection, reader, chronyd, null, RunParameters.STALL_TIMEOUT.defaultValue())) {
            repeat(() -> {
                monitor.clear();
                monitor.sample();
                show(monitor);
            });
        }
    }

    private interface Sample {
        void show() throws LagbenchException, IOException;
    }

    private void repeat(Sample sample) throws LagbenchException, InterruptedException, IOException {
        long shown = 0;
        do {
            sample.show();
        } while (++shown != count && !shutdown().awaitInterrupt(Duration.ofSeconds(1)));
    }

    private void show(ClockMonitor monitor) {
        ClockBound bound = monitor.bound();
        ClockState thisHost = monitor.senderHistory().states().get(0);
        ClockState otherHost = monitor.receiverHistory().states().get(0);
        if (json) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("bound", bound);
            all.put("thisHost", thisHost);
            all.put("receiver", otherHost);
            all.put("twoWay", monitor.twoWay());
            out().println(Json.text(all));
            return;
        }
        out().println("Clock bound: "
                + (bound.boundNs() == null ? "unknown" : "± " + NanosecondsText.duration(bound.boundNs()))
                + ", from " + bound.basis().text());
        print("  this host: ", components(thisHost));
        print("  receiver:  ", components(otherHost));
        for (OffsetInterval interval : monitor.twoWay()) {
            print(
                    "  two-way:   ",
                    String.format(
                            "the receiver's clock is ahead by %,d to %,d ns; shortest round trip %,d ns of %d",
                            interval.lowerNs(),
                            interval.upperNs(),
                            interval.smallestRoundTripNs(),
                            interval.exchanges()));
        }
        bound.marks().stream()
                .filter(mark -> !mark.endsWith(thisHost.sentence()) && !mark.endsWith(otherHost.sentence()))
                .forEach(mark -> print("  note:      ", mark));
    }

    private void print(String subject, String sentence) {
        out().println(HelpText.wrapLine(subject + sentence, subject.length(), Terminal.outputColumns()));
    }

    private static String components(ClockState state) {
        ChronyTracking tracking = state.tracking();
        return tracking == null
                ? state.sentence()
                : String.format(
                        "%s, uncorrected offset %+,.0f ns, root dispersion %,.0f ns, root delay %,.0f ns, frequency"
                                + " %+.3f ppm",
                        state.boundNs() == null ? "not synchronized" : String.format("± %,d ns", state.boundNs()),
                        tracking.correctionNs(),
                        tracking.rootDispersionNs(),
                        tracking.rootDelayNs(),
                        tracking.frequencyPpm());
    }
}
