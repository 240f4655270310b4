package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.cli.format.Json;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ChronyTracking;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.ClockStates;
import org.lagbench.core.clock.NanosecondsText;
import org.lagbench.core.clock.OffsetInterval;
import org.lagbench.core.commandline.ChronyOption;
import org.lagbench.core.control.ClockMonitor;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlReader;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code lagbench clock}: what is known of this host's clock, or of it and a receiver's, again and again. */
@Command(
        name = "clock",
        sortOptions = false,
        description = {
            "Show how far this host's clock may be off, or how far it and a receiver's may be apart: the clock bound"
                    + " and what it is made of.",
            "",
            "The bound is what every lag of a run between the two hosts would be uncertain by."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench clock",
            "  lagbench clock 192.0.2.7 --key-file ~/lagbench.key",
            "  lagbench clock 192.0.2.7:5394 --key-file ~/lagbench.key --count 60 --json"
        })
final class ClockCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Lagbench lagbench;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description = "A receiver that waits there, at port 5394 unless told; without it, this host's clock alone.")
    private @Nullable String receiver;

    @Option(names = "--key-file", paramLabel = "FILE", description = "The key that the receiver has too.")
    private @Nullable Path keyFile;

    @Mixin
    private final ChronyOption chrony = new ChronyOption();

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "How often to show it, once a second; 0 goes on until Ctrl-C (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(names = "--json", description = "Print a JSON object each time.")
    private boolean json;

    private final CountDownLatch stopped = new CountDownLatch(1);

    @Override
    public Integer call() throws LagbenchException, InterruptedException, IOException {
        if (count < 0) {
            throw new LagbenchException(ExitCode.USAGE, "--count " + count + " is not accepted; it takes 0 or more.");
        }
        lagbench.interruption().onInterrupt(stopped::countDown);
        ChronyClient chronyd = chrony.client();
        return receiver == null ? showThisHost(chronyd) : showBoth(chronyd, receiver);
    }

    private int showThisHost(ChronyClient chronyd) throws InterruptedException {
        long shown = 0;
        do {
            ClockState state = ClockStates.ask(chronyd);
            if (json) {
                print(Json.text(state));
            } else {
                print("This host: " + state.sentence());
            }
        } while (++shown != count && !stopped.await(1, TimeUnit.SECONDS));
        return ExitCode.OK.code();
    }

    private int showBoth(ChronyClient chronyd, String endpoint)
            throws LagbenchException, InterruptedException, IOException {
        SharedKey key = keyFile == null ? null : SharedKey.read(keyFile);
        try (ControlConnection connection = ReceiverConnection.open(
                        Endpoint.ofOption("HOST[:PORT]", endpoint, ReceiverConnection.DEFAULT_RECEIVER.port()), key);
                ControlReader voice = ControlReader.of(connection);
                ClockMonitor survey = new ClockMonitor(connection, voice, chronyd, null)) {
            long shown = 0;
            do {
                survey.clear();
                survey.sample();
                show(survey);
            } while (++shown != count && !stopped.await(1, TimeUnit.SECONDS));
        }
        return ExitCode.OK.code();
    }

    private void show(ClockMonitor survey) {
        ClockBound bound = survey.bound();
        ClockState here = survey.senderHistory().states().get(0);
        ClockState there = survey.receiverHistory().states().get(0);
        if (json) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("bound", bound);
            all.put("thisHost", here);
            all.put("receiver", there);
            all.put("twoWay", survey.twoWay());
            print(Json.text(all));
            return;
        }
        print("Clock bound: "
                + (bound.boundNs() == null ? "unknown" : "± " + NanosecondsText.duration(bound.boundNs()))
                + ", from " + bound.basis().text());
        print("  this host: " + parts(here));
        print("  receiver:  " + parts(there));
        for (OffsetInterval interval : survey.twoWay()) {
            print(String.format(
                    "  two-way:   the receiver's clock is ahead by %,d to %,d ns; shortest round trip %,d ns of %d",
                    interval.lowerNs(), interval.upperNs(), interval.smallestRoundTripNs(), interval.exchanges()));
        }
        bound.marks().forEach(mark -> print("  note: " + mark));
    }

    private static String parts(ClockState state) {
        ChronyTracking tracking = state.tracking();
        return tracking == null
                ? state.sentence()
                : String.format(
                        "%s, not yet corrected %+,.0f ns, root dispersion %,.0f ns, root delay %,.0f ns, frequency"
                                + " %+.3f ppm",
                        state.boundNs() == null ? "not synchronized" : String.format("± %,d ns", state.boundNs()),
                        tracking.correctionNs(),
                        tracking.rootDispersionNs(),
                        tracking.rootDelayNs(),
                        tracking.frequencyPpm());
    }

    private void print(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
