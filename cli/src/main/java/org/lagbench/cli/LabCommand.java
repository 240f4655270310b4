package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.cli.format.Json;
import org.lagbench.core.experiment.NetworkReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.Network;
import org.lagbench.core.lab.Station;
import org.lagbench.lab.Lab;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code lagbench lab}: networks to order, on this machine, for any program. */
@Command(
        name = "lab",
        sortOptions = false,
        description = {
            "Make networks of this machine's own, with the rate, queue, delay and loss that you order, and run any"
                    + " program on their hosts. Needs root.",
            "",
            "A sweep needs none of this: its experiment orders a network with lab."
        },
        subcommands = {LabCommand.Up.class, LabCommand.Down.class, LabCommand.Show.class, LabCommand.Exec.class},
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench lab up ethernet-100                    a network that comes with lagbench; show lists them",
            "  lagbench lab up configs/networks/reference.yaml --name mine",
            "  lagbench lab show                               what there is, and what was counted",
            "  lagbench lab exec ethernet-100 sender -- ping -c 3 10.139.0.2",
            "  lagbench lab down ethernet-100"
        })
final class LabCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Lagbench lagbench;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE.code();
    }

    /** {@code lagbench lab up}. */
    @Command(
            name = "up",
            sortOptions = false,
            description = "Make a network, which stays until lagbench lab down.",
            footerHeading = "%nExamples:%n",
            footer = {"  lagbench lab up ethernet-100", "  lagbench lab up my-network.yaml --name mine"})
    static final class Up implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it before call()
        private CommandSpec spec;

        @Parameters(
                paramLabel = "FILE|NETWORK",
                description =
                        "A description as configs/networks/reference.yaml, or a network that comes with lagbench.")
        @SuppressWarnings("NullAway.Init") // picocli sets it before call()
        private String network;

        @Option(names = "--name", paramLabel = "NAME", description = "Names the lab (default: the network's name).")
        private @Nullable String name;

        @Override
        public Integer call() throws LagbenchException {
            Network ordered = NetworkReader.named(network);
            Lab lab = Lab.lasting(ordered, name == null ? ordered.name().replaceAll("[^A-Za-z0-9-]", "-") : name);
            PrintWriter out = spec.commandLine().getOut();
            tell(lab, out);
            if (!ordered.flows().isEmpty()) {
                out.println("Competing flows run in sweeps only, since their times count from a run's first packet.");
            }
            out.flush();
            return ExitCode.OK.code();
        }
    }

    /** {@code lagbench lab down}. */
    @Command(
            name = "down",
            sortOptions = false,
            description = "End all programs in a lab and remove it.",
            footerHeading = "%nExamples:%n",
            footer = {"  lagbench lab down ethernet-100", "  lagbench lab down --all"})
    static final class Down implements Callable<Integer> {
        @Parameters(arity = "0..*", paramLabel = "NAME", description = "The lab's name.")
        private List<String> names = new ArrayList<>();

        @Option(names = "--all", description = "All labs that lagbench lab up has made.")
        private boolean all;

        @Override
        public Integer call() throws LagbenchException {
            if (all != names.isEmpty()) {
                throw new LagbenchException(ExitCode.USAGE, "Name a lab, or give --all; lagbench lab show lists them.");
            }
            List<Lab> labs = new ArrayList<>();
            for (String name : names) {
                labs.add(Lab.named(name));
            }
            if (all) {
                Lab.all().stream().filter(lab -> !lab.isOwned()).forEach(labs::add);
            }
            for (Lab lab : labs) {
                lab.remove();
            }
            return ExitCode.OK.code();
        }
    }

    /** {@code lagbench lab show}. */
    @Command(
            name = "show",
            sortOptions = false,
            description = "Show the labs of this machine: hosts, addresses, what was counted.",
            footerHeading = "%nExamples:%n",
            footer = {"  lagbench lab show", "  lagbench lab show ethernet-100 --json"})
    static final class Show implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it before call()
        private CommandSpec spec;

        @Parameters(arity = "0..1", paramLabel = "NAME", description = "The lab's name (default: all).")
        private @Nullable String name;

        @Option(names = "--json", description = "Print JSON.")
        private boolean json;

        @Override
        public Integer call() throws LagbenchException {
            List<Lab> labs = name == null ? Lab.all() : List.of(Lab.named(name));
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                List<Shown> shown = new ArrayList<>();
                for (Lab lab : labs) {
                    shown.add(new Shown(lab.name(), lab.network(), lab.namespaces(), lab.addresses(), lab.stations()));
                }
                out.println(Json.text(shown));
            } else {
                for (Lab lab : labs) {
                    tell(lab, out);
                }
                if (labs.isEmpty()) {
                    out.println("There is no lab. Networks that come with lagbench: "
                            + String.join(", ", NetworkReader.names()) + ".");
                }
            }
            out.flush();
            return ExitCode.OK.code();
        }

        /** A lab in JSON. */
        record Shown(
                String name,
                String network,
                Map<String, String> namespaces,
                Map<String, String> addresses,
                List<Station> stations) {}
    }

    /** {@code lagbench lab exec}. */
    @Command(
            name = "exec",
            sortOptions = false,
            description = "Run a program on a host of a lab, and end with its exit code.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  lagbench lab exec ethernet-100 sender -- ping -c 3 10.139.0.2",
                "  lagbench lab exec ethernet-100 receiver -- iperf3 -s -1"
            })
    static final class Exec implements Callable<Integer> {
        @ParentCommand
        @SuppressWarnings("NullAway.Init") // picocli sets it before call()
        private LabCommand lab;

        @Parameters(index = "0", paramLabel = "NAME", description = "The lab's name.")
        @SuppressWarnings("NullAway.Init") // picocli sets it before call()
        private String name;

        @Parameters(index = "1", paramLabel = "HOST", description = "sender or receiver, or another that show names.")
        @SuppressWarnings("NullAway.Init") // picocli sets it before call()
        private String host;

        @Parameters(
                index = "2..*",
                arity = "1..*",
                paramLabel = "COMMAND",
                description = "A program with its arguments.")
        private List<String> command = new ArrayList<>();

        @Override
        public Integer call() throws LagbenchException, InterruptedException {
            List<String> whole = new ArrayList<>(Lab.named(name).commandOn(host));
            // Options end at the first word that is none, after which "--" is left as it stands.
            whole.addAll(command.get(0).equals("--") ? command.subList(1, command.size()) : command);
            Process process;
            try {
                process = new ProcessBuilder(whole).inheritIO().start();
            } catch (IOException e) {
                throw new LagbenchException(
                        ExitCode.UNAVAILABLE, "The program ip cannot be run: " + e.getMessage() + ".", e);
            }
            lab.lagbench.interruption().onInterrupt(process::destroy);
            return process.waitFor();
        }
    }

    private static void tell(Lab lab, PrintWriter out) throws LagbenchException {
        out.println("lab " + lab.name() + (lab.isOwned() ? " (of a sweep)" : "") + ": " + lab.network());
        lab.namespaces()
                .forEach((host, namespace) -> out.printf(
                        "  %-15s %-12s sudo ip netns exec %s COMMAND%n",
                        host, lab.addresses().getOrDefault(host, ""), namespace));
        for (Station station : lab.stations()) {
            out.println("  " + station.place() + ": "
                    + new TreeMap<>(station.counts())
                            .entrySet().stream()
                                    .map(count -> count.getValue() + " " + count.getKey())
                                    .collect(Collectors.joining(", ")));
        }
    }
}
