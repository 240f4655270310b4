package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.comparison.Requirement;
import org.lagbench.core.failure.ExitCode;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads the jobs for CI servers in the documentation. */
@Tag("one-java")
class CiExamplesTest {
    private static final Path PAGE = Path.of("..", "docs", "how-to", "use-in-ci.md");
    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern REQUIREMENT = Pattern.compile("--require '([^']+)'");
    private static final String SWEEP = "scripts/lagbench sweep configs/quickstart.yaml --set repeats=6"
            + " --set machine.max-other-load=50% --quiet";

    @Test
    void jobsRequireLimitsAndAllowUndecidedOnes() throws Exception {
        List<JsonNode> examples = BLOCK.matcher(Files.readString(PAGE))
                .results()
                .map(block -> new YAMLMapper().readTree(block.group(1)))
                .toList();
        assertThat(examples).hasSize(2);
        String action = examples.get(0).at("/jobs/lagbench/steps/2/run").asString();
        JsonNode gitLab = examples.get(1).get("lagbench");
        assertThat(action).contains("\"$code\" = " + ExitCode.UNDECIDED.code() + " ]", "--junit lagbench.xml");
        assertThat(gitLab.at("/allow_failure/exit_codes").asInt()).isEqualTo(ExitCode.UNDECIDED.code());
        assertThat(gitLab.at("/artifacts/reports/junit").asString()).isEqualTo("lagbench.xml");
        for (String script : List.of(action, gitLab.get("script").get(0).asString())) {
            List<String> limits = REQUIREMENT
                    .matcher(script)
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertThat(script.replaceAll("\\\\\\s+", "")).contains(SWEEP);
            assertThat(limits).hasSize(2);
            for (String limit : limits) {
                Requirement.parse(limit.replaceAll("--require '|'", "")).metric();
            }
        }
    }
}
