package org.lagbench.cli;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lagbench.commandline.RunArguments;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;

/**
 * Translates arguments of iperf3 to those of lagbench, for users who type an iperf3 command. The result names options
 * of iperf3 without a counterpart.
 */
final class IperfArguments {
    /** What iperf3 sends without {@code -b} over UDP, and its payload of a datagram, from iperf3(1). */
    private static final double DEFAULT_UDP_BITS_PER_S = 1e6;

    private static final int DEFAULT_UDP_BYTES = 1_460;

    private static final Set<String> PROGRAMS = Set.of("iperf3", "iperf");
    private static final Set<String> TRANSPORTS =
            Transports.load().all().stream().map(Transport::name).collect(Collectors.toUnmodifiableSet());
    private static final String RUN = "run";

    /** An option without a value, and others in the same word. */
    private static final Pattern FLAGS = Pattern.compile("-[uRNJV46].+");

    private static final Pattern AMOUNT = Pattern.compile("(\\d+(?:\\.\\d+)?)([kmgtKMGT]?)(?:/\\d+)?");

    /** Long names with their short ones. */
    private static final Map<String, String> SHORT = Map.ofEntries(
            Map.entry("--client", "-c"),
            Map.entry("--server", "-s"),
            Map.entry("--port", "-p"),
            Map.entry("--udp", "-u"),
            Map.entry("--bitrate", "-b"),
            Map.entry("--bandwidth", "-b"),
            Map.entry("--length", "-l"),
            Map.entry("--time", "-t"),
            Map.entry("--blockcount", "-k"),
            Map.entry("--reverse", "-R"),
            Map.entry("--parallel", "-P"),
            Map.entry("--window", "-w"),
            Map.entry("--congestion", "-C"),
            Map.entry("--no-delay", "-N"),
            Map.entry("--bind", "-B"),
            Map.entry("--version4", "-4"),
            Map.entry("--version6", "-6"),
            Map.entry("--json", "-J"));

    /** The short names that {@code lagbench run} has too, or that stand for another command. */
    private static final Set<String> OF_LAGBENCH = Set.of("-4", "-6", "-s");

    private static final Set<String> WITH_VALUE = Set.of(
            "-b",
            "-c",
            "-C",
            "-k",
            "-l",
            "-n",
            "-P",
            "-p",
            "-t",
            "-w",
            "-B",
            "--cport",
            "--bind-dev",
            "-i",
            "-O",
            "-M",
            "-S",
            "-f");

    private final List<String> options = new ArrayList<>();
    private final List<String> without = new ArrayList<>();
    private String transport = "";
    private String host = "";
    private String port = "";
    private String listen = "";
    private boolean isRun;
    private boolean isForeign;
    private boolean isServer;
    private boolean isUdp;
    private boolean isAfterOwn; // whether the word before is an option that only lagbench has
    private double bitsPerS = Double.NaN;
    private long seconds;
    private long bytes;

    private IperfArguments() {}

    /**
     * Returns a sentence with the command of lagbench that does the same.
     *
     * @param arguments all arguments of the lagbench command; those of {@code run} may be options of both
     * @return empty if the arguments are not those of iperf3
     */
    static Optional<String> translate(List<String> arguments) {
        Deque<String> rest = new ArrayDeque<>(arguments);
        boolean isNamed = !rest.isEmpty() && PROGRAMS.contains(rest.peek());
        if (isNamed) {
            rest.pop();
        }
        IperfArguments translated = new IperfArguments();
        try {
            translated.isRun = !isNamed && RUN.equals(rest.peek());
            if (translated.isRun) {
                rest.pop();
            }
            while (!rest.isEmpty()) {
                translated.add(rest);
            }
            if (translated.isRun) {
                return translated.isForeign ? Optional.of(translated.sentence()) : Optional.empty();
            }
            return isNamed || translated.isServer || !translated.host.isEmpty() || translated.isUdp
                    ? Optional.of(translated.sentence())
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void add(Deque<String> rest) {
        String word = rest.pop();
        if (isRun && !word.startsWith("-")) {
            addPosition(word);
            return;
        }
        isAfterOwn = false;
        if (FLAGS.matcher(word).matches()) {
            rest.push("-" + word.substring(2));
            word = word.substring(0, 2);
        }
        if (word.length() > 2 && WITH_VALUE.contains(word.substring(0, 2))) {
            rest.push(word.substring(2));
            word = word.substring(0, 2);
        } else if (word.startsWith("--") && word.contains("=")) {
            rest.push(word.substring(word.indexOf('=') + 1));
            word = word.substring(0, word.indexOf('='));
        }
        String option = SHORT.getOrDefault(word, word);
        if (!option.startsWith("-") || (WITH_VALUE.contains(option) && rest.isEmpty())) {
            throw new IllegalArgumentException(option);
        }
        isForeign |= SHORT.containsValue(option) && !OF_LAGBENCH.contains(option);
        String value = WITH_VALUE.contains(option) ? rest.pop() : "";
        switch (option) {
            case "-c" -> host = value.replaceAll("^\\[|\\]$", "");
            case "-s" -> isServer = true;
            case "-p" -> port = value;
            case "-u" -> isUdp = true;
            case "-b" -> bitsPerS = amount(value, 1_000);
            case "-l" -> bytes = Math.round(amount(value, 1_024));
            case "-t" -> seconds = Math.round(amount(value, 1));
            case "-k" -> options.add("--packets " + Math.round(amount(value, 1_024)));
            case "-R" -> options.add("--reverse");
            case "--bidir" -> options.add("--bidirectional");
            case "-P" -> options.add("--streams " + Math.round(amount(value, 1)));
            case "-w" -> {
                long size = Math.round(amount(value, 1_024));
                options.add("--send-buffer " + size + " --receive-buffer " + size);
            }
            case "-C" -> options.add("--congestion-control " + word(value));
            case "-N" -> options.add("--no-delay true");
            case "-J" -> options.add("--json");
            case "-B" -> bind(value);
            case "--bind-dev" -> options.add("--device " + word(value));
            case "--cport" -> options.add("--data-port " + Math.round(amount(value, 1)));
            case "-4", "-6" -> options.add(option);
            default -> {
                (isRun ? options : without).add(word(option));
                isAfterOwn = isRun;
            }
        }
    }

    /** Takes the transport, the receiver, or the value of an option that only lagbench has. */
    private void addPosition(String word) {
        if (transport.isEmpty() && TRANSPORTS.containsAll(List.of(word.split(",")))) {
            transport = word;
        } else if (!transport.isEmpty() && host.isEmpty() && !isAfterOwn) {
            host = word;
        } else {
            options.add(word(word));
        }
        isAfterOwn = false;
    }

    /** Adds the local address of iperf3, which may name a device: "192.0.2.1%eth0". */
    private void bind(String value) {
        int at = value.contains(":") ? -1 : value.indexOf('%');
        listen = word(at < 0 ? value : value.substring(0, at));
        options.add("--bind " + listen);
        if (at >= 0) {
            options.add("--device " + word(value.substring(at + 1)));
        }
    }

    private String sentence() {
        boolean isBracketed = host.contains(":") && !port.isEmpty();
        String target = host.isEmpty()
                ? ""
                : " " + (isBracketed ? "[" + word(host) + "]" : word(host)) + (port.isEmpty() ? "" : ":" + word(port));
        String command = isServer
                ? "lagbench serve --new-key" + listening()
                : (!transport.isEmpty()
                                ? "lagbench run " + word(transport)
                                : isUdp ? "lagbench run udp" : "lagbench run tcp")
                        + target
                        + pace()
                        + join(options);
        boolean isTimed = !isServer && seconds > 0 && command.contains(" --packets ");
        return "These are options of iperf3; the same with lagbench: " + command
                + (isTimed ? " (-t as packets at 1 Gbit/s)" : "")
                + (without.isEmpty() ? "" : " (without" + join(without) + ")");
    }

    private String listening() {
        return listen.isEmpty() && port.isEmpty()
                ? ""
                : " --listen " + (listen.isEmpty() ? "0.0.0.0" : listen.contains(":") ? "[" + listen + "]" : listen)
                        + (port.isEmpty() ? "" : ":" + word(port));
    }

    private String pace() {
        double rate = !Double.isNaN(bitsPerS) ? bitsPerS : isUdp && !isRun ? DEFAULT_UDP_BITS_PER_S : 0;
        long size = isUdp && bytes == 0 && !isRun ? DEFAULT_UDP_BYTES : bytes;
        String sized = size == 0 ? "" : " --size " + size;
        boolean isFlood = rate == 0 && !(isRun && Double.isNaN(bitsPerS));
        boolean isOwnFlood = join(options).matches(".* --(flood|mode flood)\\b.*");
        if (isFlood || isOwnFlood) {
            return sized
                    + (isFlood ? " --flood" : "")
                    + (seconds == 0 ? "" : " --packets " + RunArguments.floodPackets((double) seconds, size));
        }
        return sized
                + (rate > 0 ? " --rate " + Quantities.formatRate(Math.round(rate)) : "")
                + (seconds == 0 ? "" : " --duration " + seconds + "s");
    }

    private static String join(List<String> words) {
        return words.isEmpty() ? "" : " " + String.join(" ", words);
    }

    /** Returns a word that needs no quotes in a shell, and refuses any other. */
    private static String word(String value) {
        if (!value.matches("[A-Za-z0-9_.:%\\[\\]-]{1,255}")) {
            throw new IllegalArgumentException(value);
        }
        return value;
    }

    /** Parses a number with a suffix of iperf3, k to t, which are powers of {@code step}. */
    private static double amount(String text, int step) {
        Matcher matcher = AMOUNT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        int power = matcher.group(2).isEmpty()
                ? 0
                : "kmgt".indexOf(Character.toLowerCase(matcher.group(2).charAt(0))) + 1;
        return Double.parseDouble(matcher.group(1)) * Math.pow(step, power);
    }
}
