package org.lagbench.cli;

/** The sections of the list of subcommands, in the order of the help. */
public enum HelpSection {
    MEASURE("Commands that measure"),
    RESULTS("Commands for results"),
    HOSTS("Commands for hosts and networks"),
    SHELL("Commands for the shell");

    private final String heading;

    HelpSection(String heading) {
        this.heading = heading;
    }

    String heading() {
        return heading;
    }
}
