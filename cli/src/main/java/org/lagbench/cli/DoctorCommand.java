package org.lagbench.cli;

import java.nio.file.Path;
import java.util.List;
import org.lagbench.cli.doctor.DoctorReport;
import org.lagbench.cli.doctor.Finding;
import org.lagbench.cli.doctor.Finding.Verdict;
import org.lagbench.cli.format.Json;
import org.lagbench.core.failure.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lagbench doctor}: checks whether this machine is fit for measurements. */
@Command(
        name = "doctor",
        description = {
            "Check whether this machine is fit for measurements, and print how to fix what is not.",
            "Changes nothing. Ends with exit code 5 only if neither TCP nor UDP can be measured."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  lagbench doctor", "  lagbench doctor --json | python3 -m json.tool"})
final class DoctorCommand extends Subcommand {
    @Option(names = "--json", description = "Print the findings as JSON.")
    private boolean json;

    @Override
    public Integer call() {
        List<Finding> findings = DoctorReport.of(Path.of(ExperimentArguments.DEFAULT_OUTPUT));
        if (json) {
            out().println(Json.text(findings));
        } else {
            print(findings);
        }
        return findings.stream().anyMatch(finding -> finding.verdict() == Verdict.MISSING)
                ? ExitCode.UNAVAILABLE.code()
                : ExitCode.OK.code();
    }

    private void print(List<Finding> findings) {
        int width = findings.stream()
                .mapToInt(finding -> finding.subject().length())
                .max()
                .orElse(0);
        String line = "%-7s  %-" + width + "s  %s%n";
        for (Finding finding : findings) {
            out().printf(line, finding.verdict().text(), finding.subject(), finding.found());
            if (finding.advice() != null) {
                out().printf(line, "", "", "→ " + finding.advice());
            }
        }
    }
}
