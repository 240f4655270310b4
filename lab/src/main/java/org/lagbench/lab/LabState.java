package org.lagbench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.file.PidNamespace;

/**
 * The description of a lab: a file in {@link LabDirectory}. It is written before the first namespace is created, so
 * that another process can remove the whole lab if this one is killed.
 *
 * @param format {@link #FORMAT}
 * @param name the lab's name
 * @param owner the process that the lab ends with; null if it stays until it is removed
 * @param network the network, in YAML
 * @param plan the hosts, routers and links
 * @param relays the processes of the relays that have started, in the order of {@link LabPlan#relays}
 */
record LabState(
        String format, String name, @Nullable ProcessId owner, String network, LabPlan plan, List<ProcessId> relays) {
    /** The format and its version. */
    static final String FORMAT = "lagbench-lab-4";

    /** How the names of the network namespaces of all labs begin. */
    static final String NAMESPACE_PREFIX = "lagbench-lab-";

    LabState {
        relays = List.copyOf(relays);
    }

    /** Returns the same lab with another running relay. */
    LabState withRelay(ProcessId started) {
        List<ProcessId> more = new ArrayList<>(relays);
        more.add(started);
        return new LabState(format, name, owner, network, plan, more);
    }

    /** Returns whether the lab's owner has ended; false if it cannot be seen from here. */
    boolean isAbandoned() {
        return owner != null && owner.isOfThisNamespace() && !owner.isRunning();
    }

    /** Returns the namespace of a node of a lab. */
    static String namespace(String lab, String node) {
        return NAMESPACE_PREFIX + lab + "-" + node;
    }

    /** Returns the namespace of a host or router of this lab. */
    String namespace(String node) {
        return namespace(name, node);
    }

    /** Returns the namespace of each host and router, by its name. */
    Map<String, String> namespaces() {
        Map<String, String> namespaces = new LinkedHashMap<>();
        plan.nodes().forEach(node -> namespaces.put(node, namespace(node)));
        return namespaces;
    }

    /**
     * Returns the addresses of the hosts that send or receive packets, by host name. The names "control" and
     * "control-sender" have the addresses of the control link.
     */
    Map<String, String> addresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        plan.nodes().stream()
                .filter(node -> !LabPlan.ROUTERS.contains(node))
                .forEach(node -> addresses.put(node, plan.address(node)));
        addresses.put("control", plan.control().far().address());
        addresses.put("control-sender", plan.control().near().address());
        return addresses;
    }

    /** Returns the suffix of the file that is the Unix socket of a relay, numbered from 0. */
    static String socket(int relay) {
        return ".relay" + (relay + 1);
    }

    /**
     * Identifies a process, also after its PID was reused.
     *
     * @param namespace the number of the PID namespace, as {@link PidNamespace#own()}
     * @param startTicks when it started, in clock ticks since boot: field 22 of /proc/PID/stat, see proc(5)
     */
    record ProcessId(long namespace, long pid, long startTicks) {
        private static final int STATE = 0; // index among the fields after the program's name
        private static final int START = 19;

        /** Returns the identity of this process. */
        static ProcessId own() {
            return of(ProcessHandle.current().pid());
        }

        /** Returns the identity of the process that has this PID now. */
        static ProcessId of(long pid) {
            List<String> fields = fields(pid);
            return new ProcessId(ownNamespace(), pid, fields.isEmpty() ? -1 : Long.parseLong(fields.get(START)));
        }

        private static long ownNamespace() {
            try {
                return PidNamespace.own();
            } catch (IOException e) {
                return -1; // without /proc no process can be identified
            }
        }

        boolean isOfThisNamespace() {
            return namespace == ownNamespace();
        }

        /** Returns whether the process still runs and can be seen from here. A zombie does not run. */
        boolean isRunning() {
            List<String> fields = isOfThisNamespace() ? fields(pid) : List.of();
            return !fields.isEmpty()
                    && Long.parseLong(fields.get(START)) == startTicks
                    && !List.of("Z", "X").contains(fields.get(STATE));
        }

        /**
         * Returns the fields after the program's name, which may contain spaces and parentheses; empty without a
         * process.
         */
        private static List<String> fields(long pid) {
            try {
                String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
                return List.of(stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1));
            } catch (IOException e) {
                return List.of();
            }
        }
    }
}
