package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.lagbench.cli.doctor.DoctorReport;
import org.lagbench.cli.doctor.Finding;
import org.lagbench.cli.doctor.Finding.Verdict;
import org.lagbench.cli.format.Json;
import org.lagbench.core.failure.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lagbench doctor}: what this machine has, and what to do about the rest. */
@Command(
        name = "doctor",
        description = {
            "Look at what this machine has for measuring, and say what to do about what it lacks.",
            "Changes nothing. Ends with exit code 5 only if not even TCP and UDP can be measured."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  lagbench doctor", "  lagbench doctor --json | python3 -m json.tool"})
final class DoctorCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print the findings as JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Finding> findings = DoctorReport.of(Path.of(ExperimentChoice.DEFAULT_OUTPUT));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.text(findings));
        } else {
            print(findings, out);
        }
        return findings.stream().anyMatch(finding -> finding.verdict() == Verdict.MISSING)
                ? ExitCode.UNAVAILABLE.code()
                : ExitCode.OK.code();
    }

    private static void print(List<Finding> findings, PrintWriter out) {
        int subjectWidth = findings.stream()
                .mapToInt(finding -> finding.subject().length())
                .max()
                .orElse(0);
        for (Finding finding : findings) {
            out.printf(
                    "%-7s  %-" + subjectWidth + "s  %s%n",
                    finding.verdict().text(),
                    finding.subject(),
                    finding.found());
            if (finding.advice() != null) {
                out.printf("%-7s  %-" + subjectWidth + "s  → %s%n", "", "", finding.advice());
            }
        }
    }
}
