package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.commandline.ChronyOption;
import org.lagbench.commandline.HelpText;
import org.lagbench.control.ControlConnection;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.text.Endpoint;
import org.lagbench.runner.machine.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench doctor}: checks whether this machine, and another host, are fit for measurements. */
@Listed(in = HelpSection.HOSTS, order = 10)
@Command(
        name = "doctor",
        description = {
            "Check whether this machine is fit for measurements, and print how to fix what is not.",
            "With a host also check it and the network to it: ports, versions, clocks, limits of socket buffers.",
            "Changes nothing. Ends with exit code 5 only if TCP or UDP cannot be measured."
        },
        footer = {
            "  lagbench doctor",
            "  lagbench doctor 192.0.2.7 --key-file ~/lagbench.key --size",
            "  lagbench doctor --json | python3 -m json.tool"
        })
public final class DoctorCommand extends Subcommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "HOST[:PORT]",
            description = "Also check this host, on which lagbench serve runs; port 5394 unless given.")
    private @Nullable String host;

    @Mixin
    private final AddressFamilyOptions family = new AddressFamilyOptions();

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with that host's shared key (default: the variable " + SharedKey.VARIABLE + ").")
    private @Nullable Path keyFile;

    @Option(
            names = "--data-host",
            paramLabel = "HOST",
            description = "That host's address for packets (default: that of the control connection).")
    private @Nullable String dataHost;

    @Option(
            names = "--size",
            description = "Also find the largest UDP packet that passes to that host and back without IP fragments.")
    private boolean size;

    @Mixin
    private final ChronyOption chrony = new ChronyOption();

    @Option(names = "--json", description = "Print the findings as JSON.")
    private boolean json;

    @Override
    public Integer call() throws LagbenchException, IOException {
        List<Finding> findings =
                new ArrayList<>(HostChecks.of(Path.of(SessionArguments.DEFAULT_OUTPUT), chrony.client()));
        if (size && host == null) {
            throw ExitCode.USAGE.failure("--size needs the other host: lagbench doctor HOST --size.");
        }
        if (host != null) {
            findings.addAll(otherHost(family.choose(ReceiverAccess.endpoint("HOST[:PORT]", host))));
        }
        if (json) {
            out().println(Json.text(findings));
        } else {
            print(findings);
        }
        return findings.stream().anyMatch(finding -> finding.verdict() == Finding.Verdict.MISSING)
                ? ExitCode.UNAVAILABLE.code()
                : ExitCode.OK.code();
    }

    private List<Finding> otherHost(Endpoint receiver) throws LagbenchException, IOException {
        ReceiverAccess access;
        try {
            access = ReceiverAccess.request(receiver, keyFile, shutdown());
        } catch (LagbenchException e) {
            return List.of(ReceiverChecks.unreachable(e));
        }
        try (ControlConnection connection = access.connect()) {
            return ReceiverChecks.findings(connection, dataHost, chrony.client(), size);
        }
    }

    private void print(List<Finding> findings) {
        int width = findings.stream()
                .mapToInt(finding -> finding.subject().length())
                .max()
                .orElse(0);
        for (Finding finding : findings) {
            print(width, finding.verdict().text(), finding.subject(), finding.found());
            if (finding.advice() != null) {
                print(width, "", "", "→ " + finding.advice());
            }
        }
    }

    private void print(int width, String verdict, String subject, String sentence) {
        String begin = String.format("%-7s  %-" + width + "s  ", verdict, subject);
        out().println(HelpText.wrapLine(begin + sentence, begin.length(), Terminal.outputColumns()));
    }

    /**
     * The result of one check.
     *
     * @param subject what was checked, a few words
     * @param found what was found
     * @param advice how to fix it; null if the verdict is OK
     */
    record Finding(String subject, Verdict verdict, String found, @Nullable String advice) {
        /** Whether measurements are possible. */
        enum Verdict implements TextEnum {
            /** All measurements are possible without restriction. */
            OK,
            /** Some measurements are impossible or less accurate. */
            WARN,
            /** A transport, the receiver or the disk is unusable: the measurements that need it fail. */
            MISSING
        }

        static Finding ok(String subject, String found) {
            return new Finding(subject, Verdict.OK, found, null);
        }

        static Finding warn(String subject, String found, String advice) {
            return new Finding(subject, Verdict.WARN, found, advice);
        }

        static Finding missing(String subject, String found, String advice) {
            return new Finding(subject, Verdict.MISSING, found, advice);
        }

        /** Returns a warning with the advice, unless what was checked is fine. */
        static Finding check(boolean isFine, String subject, String found, String advice) {
            return isFine ? ok(subject, found) : warn(subject, found, advice);
        }
    }
}
