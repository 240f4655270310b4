package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.core.failure.ShutdownCoordinator;
import picocli.CommandLine.Command;

class SubcommandsTest {
    @Test
    void hasTheOrderThatCommandsDeclare() {
        Subcommands subcommands = Subcommands.load();
        assertThat(String.join(" ", subcommands.names()))
                .isEqualTo("run ping sweep tune capacity bandwidth matrix monitor advise codecs"
                        + " table compare explain report figures export forecast verify"
                        + " serve doctor clock lab bus completion");
        assertThat(subcommands.all()).allSatisfy(entry -> assertThat(
                        entry.type().getAnnotation(Command.class).name())
                .isEqualTo(entry.name()));
    }

    @Test
    void refusesTwoCommandsOfOneName() {
        Subcommands.Entry run = new Subcommands.Entry(RunCommand.class);
        assertThatThrownBy(() -> new Subcommands(List.of(run, run)))
                .hasMessageStartingWith("The command \"run\" is registered twice: ")
                .hasMessageContaining(RunCommand.class.getName());
    }

    @Test
    void buildsOnlyTheCommandThatIsNamed() {
        assertThat(names("run", "udp")).containsExactly("run");
        assertThat(names("--version")).isEmpty();
        assertThat(names("completion"))
                .hasSize(Subcommands.load().all().size() + 1)
                .endsWith("completion", "help");
    }

    private static List<String> names(String... arguments) {
        return List.copyOf(Lagbench.commandLine(new ShutdownCoordinator(), arguments)
                .getSubcommands()
                .keySet());
    }
}
