package org.lagbench.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.RunRecord.LabRecord.Station;
import org.lagbench.experiment.NetworkReader;
import org.lagbench.lab.Lab;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.TableFormat;
import org.lagbench.runner.machine.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench lab}: emulated networks on this machine, for any program. */
@Listed(in = HelpSection.HOSTS, order = 30)
@Command(
        name = "lab",
        description = {
            "Create networks on this machine with a given rate, queue, delay and loss, and run any program on their"
                    + " hosts. Needs root.",
            "",
            "A sweep does not need this command: its experiment describes the network with lab."
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "  lagbench lab up ethernet-100                    a network that comes with lagbench; show lists them",
            "  lagbench lab up configs/networks/reference.yaml --name mine",
            "  lagbench lab show                               all labs, with their counters",
            "  lagbench lab exec ethernet-100 sender -- ip -s link",
            "  lagbench lab down ethernet-100"
        })
public final class LabCommand extends Subcommand {
    @Override
    public Integer call() {
        return usage();
    }

    @Command(
            name = "up",
            description = "Create a network that stays until lagbench lab down.",
            footer = {
                "  lagbench lab up ethernet-100",
                "  lagbench lab up my-network.yaml --name mine",
                "  lagbench lab up '{rate: 10mbit, delay: 5ms}' --name slow"
            })
    void up(
            @Parameters(
                            paramLabel = "FILE|NETWORK",
                            description = "A file like configs/networks/reference.yaml, a network that comes with"
                                    + " lagbench, or a description in braces.")
                    String network,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            description = "Name of the lab (default: the network's name).")
                    @Nullable
                    String name)
            throws LagbenchException {
        Network description = NetworkReader.named(network);
        print(Lab.persistent(description, name == null ? description.name().replaceAll("[^A-Za-z0-9-]", "-") : name));
        if (!description.flows().isEmpty()) {
            out().println("Competing flows run only in sweeps: their times count from the first packet of a run.");
        }
    }

    @Command(
            name = "down",
            description = "End all programs in a lab and remove it.",
            footer = {"  lagbench lab down ethernet-100", "  lagbench lab down --all"})
    void down(
            @Parameters(arity = "0..*", paramLabel = "NAME", description = "Name of the lab.") @Nullable
                    List<String> names,
            @Option(names = "--all", description = "Remove all labs that lagbench lab up has created.") boolean all)
            throws LagbenchException {
        List<String> named = names == null ? List.of() : names;
        require(all == named.isEmpty(), "Name a lab, or use --all; lagbench lab show lists them.");
        List<Lab> labs = all
                ? Lab.all().stream().filter(lab -> !lab.isTemporary()).toList()
                : CheckedFunction.each(named, Lab::named);
        for (Lab lab : labs) {
            lab.remove();
        }
    }

    @Command(
            name = "show",
            description = "Show the hosts, addresses, limits and counters of the labs of this machine.",
            footer = {"  lagbench lab show", "  lagbench lab show ethernet-100 --json"})
    void show(
            @Parameters(arity = "0..1", paramLabel = "NAME", description = "Name of the lab (default: all labs).")
                    @Nullable
                    String name,
            @Option(names = "--json", description = "Print JSON.") boolean json)
            throws LagbenchException {
        List<Lab> labs = name == null ? Lab.all() : List.of(Lab.named(name));
        if (json) {
            List<LabJson> shown = new ArrayList<>();
            for (Lab lab : labs) {
                shown.add(new LabJson(lab.name(), lab.network(), lab.namespaces(), lab.addresses(), stations(lab)));
            }
            out().println(Json.text(shown));
            return;
        }
        for (Lab lab : labs) {
            print(lab);
        }
        if (labs.isEmpty()) {
            out().println("There is no lab. Networks that come with lagbench: "
                    + String.join(", ", NetworkReader.names()) + ".");
        }
    }

    /** Returns the counters of a lab; empty if the lab is being created or removed, or its relay has ended. */
    private static List<Station> stations(Lab lab) throws LagbenchException {
        return lab.isWhole() ? lab.stations() : List.of();
    }

    /** A lab in JSON. */
    record LabJson(
            String name,
            String network,
            Map<String, String> namespaces,
            Map<String, String> addresses,
            List<Station> stations) {}

    @Command(
            name = "exec",
            description = "Run a program on a host of a lab, and end with its exit code.",
            footer = {
                "  lagbench lab exec ethernet-100 sender -- ip -s link",
                "  lagbench lab exec ethernet-100 receiver -- iperf3 -s -1"
            })
    int exec(
            @Parameters(index = "0", paramLabel = "NAME", description = "Name of the lab.") String name,
            @Parameters(index = "1", paramLabel = "HOST", description = "sender, receiver, or another host of the lab.")
                    String host,
            @Parameters(
                            index = "2..*",
                            arity = "1..*",
                            paramLabel = "COMMAND",
                            description = "A program with its arguments.")
                    List<String> command)
            throws LagbenchException, InterruptedException {
        List<String> all = new ArrayList<>(Lab.named(name).commandOn(host));
        // Options end at the first positional parameter; picocli then keeps "--" as a parameter.
        all.addAll(command.get(0).equals("--") ? command.subList(1, command.size()) : command);
        return runProgram(new ProcessBuilder(all), ExitCode.UNAVAILABLE);
    }

    private void print(Lab lab) throws LagbenchException {
        Network network = NetworkReader.named(lab.network());
        String link = network.topology() == Network.Topology.CABLE ? " ════════ " : " ── router ════════ router ── ";
        out().println("lab " + lab.name() + (lab.isTemporary() ? " (of a sweep)" : ""));
        out().println();
        out().println("  sender " + lab.addresses().get("sender") + link
                + lab.addresses().get("receiver") + " receiver");
        out().println();
        out().printf("  %-15s %-18s %s%n", "not as default", "forward ►", "◄ reverse");
        NetworkReader.differences(network).forEach((key, values) -> out().println(
                        String.format("  %-15s %-18s %s", key, values.get(0), values.size() > 1 ? values.get(1) : "")
                                .stripTrailing()));
        out().println();
        lab.namespaces().forEach((host, namespace) -> out().printf(
                        "  %-15s %-12s sudo ip netns exec %s COMMAND%n",
                        host, lab.addresses().getOrDefault(host, ""), namespace));
        out().println();
        print(TableFormat.TEXT.text(new Document(LabCounters.tables(stations(lab)), List.of())));
    }
}
