package org.lagbench.commandline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.experiment.ExperimentReader;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The keys of an experiment as options of a command that measures over one transport, such as {@code --packets}. The
 * name of a section is left out: {@code --interval} sets {@code pace.interval}, {@code --send-buffer} a setting of the
 * transport.
 */
public final class ExperimentOptions {
    /** Keys that other arguments of the command replace, or that only a file has. */
    private static final Set<String> EXCLUDED =
            Set.of("transports", "receiver", "streams", "tune", "monitor", "capacity", "order");

    private static final Map<String, String> SECOND_NAMES =
            Map.of("--packet-bytes", "--size", "--parallel", "--streams");

    private static final Set<String> HELP = Set.of("-h", "--help");

    /** The sections whose name is not part of an option's. */
    private static final Set<String> UNNAMED = Set.of("pace", "local");

    /** Several words to select from. */
    private static final Pattern WORDS = Pattern.compile("[\\w-]+(?: or [\\w-]+)+");

    private static final Pattern OTHER_KEYS =
            Pattern.compile("there is no such key; there are ([^?]*?)(?=\\.$)", Pattern.MULTILINE);

    private final Transports transports = Transports.load();

    /** The parameters by key. */
    private final Map<String, Parameter<?>> keys = new ExperimentReader(transports, Engines.load()).keys();

    /** The keys of an experiment, each with the sign before its value. */
    public static final class Keys implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return new ExperimentReader(Transports.load(), Engines.load())
                    .keys().keySet().stream().map(key -> key + "=").iterator();
        }
    }

    /**
     * Creates the options of a program.
     *
     * @param excluded further keys that are no options of it
     */
    public ExperimentOptions(Set<String> excluded) {
        keys.keySet().removeAll(EXCLUDED);
        keys.keySet().removeAll(excluded);
    }

    /**
     * Adds to a command, in groups by section, the options that its arguments name, which takes less time than all.
     * Adds all if an argument may be anything else than an option with its value, such as {@code --help} or a wrong
     * option.
     */
    public void addTo(CommandSpec command, List<String> arguments) {
        Set<String> named = arguments.stream()
                .filter(argument -> argument.startsWith("-") || argument.startsWith("@"))
                .map(argument -> argument.replaceFirst("=.*", ""))
                .filter(name -> HELP.contains(name) || !command.optionsMap().containsKey(name))
                .collect(Collectors.toSet());
        Map<String, String> takers = new HashMap<>();
        Set<String> known = new HashSet<>();
        for (String key : keys.keySet()) {
            known.addAll(names(key));
            if (isSetting(key)) {
                takers.merge(name(key), section(key), (one, other) -> one + ", " + other);
            }
        }
        boolean addsAll = !known.containsAll(named);
        Map<String, Map<String, String>> groups = new LinkedHashMap<>();
        keys.forEach((key, parameter) -> {
            if (addsAll || !Collections.disjoint(names(key), named)) {
                String takenBy = takers.containsKey(name(key)) ? takers.get(name(key)) + ": " : "";
                groups.computeIfAbsent(heading(section(key)), heading -> new LinkedHashMap<>())
                        .putIfAbsent(name(key), takenBy + explanation(key, parameter));
            }
        });
        groups.forEach((heading, options) -> {
            ArgGroupSpec.Builder group = ArgGroupSpec.builder().validate(false).heading("%n" + heading + ":%n");
            options.forEach((name, explanation) -> group.addArg(option(name, explanation)));
            command.addArgGroup(group.build());
        });
    }

    /** Returns the sentence of a parameter, with the words that it accepts and its default. */
    private static String explanation(String key, Parameter<?> parameter) {
        Matcher words = WORDS.matcher(parameter.accepted());
        String absent = key.equals(RunArguments.SIZE_KEY)
                ? Integer.toString(RunArguments.DEFAULT_PACKET_BYTES)
                : parameter.absentText().replaceAll("^\\[|\\]$", "");
        return parameter.description().replaceFirst("[.:;]$", "")
                + (words.lookingAt() ? ": " + words.group() : "")
                + (absent.isEmpty() || absent.equals("null") ? "" : " (default: " + absent + ")")
                + ".";
    }

    private static OptionSpec option(String name, String description) {
        return OptionSpec.builder(withSecond(name).toArray(String[]::new))
                .paramLabel("VALUE")
                .type(String.class)
                .description(description.replace("%", "%%"))
                .build();
    }

    /**
     * Returns the given options as {@code key=value}.
     *
     * @param transport the transport whose settings are given
     */
    public List<String> given(ParseResult parsed, String transport) {
        return given(parsed.matchedOptions(), transport);
    }

    private List<String> given(List<OptionSpec> options, String transport) {
        Map<String, String> keyByName = new HashMap<>();
        for (String key : keys.keySet()) {
            keyByName.put(name(key), isSetting(key) ? transport + key.substring(key.indexOf('.')) : key);
        }
        List<String> given = new ArrayList<>();
        for (OptionSpec option : options) {
            String key = keyByName.get(option.longestName());
            if (key != null) {
                given.add(key + "=" + String.join(" ", option.originalStringValues()));
            }
        }
        return given;
    }

    /** Replaces keys of the experiment in messages by the options that the user typed for them. */
    String asTyped(String messages, ParseResult parsed, String transport) {
        String named = messages;
        for (OptionSpec option : parsed.matchedOptions()) {
            for (String assignment : given(List.of(option), transport)) {
                String key = assignment.substring(0, assignment.indexOf('='));
                String typed = Stream.of(option.names())
                        .filter(name -> parsed.originalArgs().stream()
                                .anyMatch(argument ->
                                        argument.replaceFirst("=.*", "").equals(name)))
                        .findFirst()
                        .orElse(option.longestName());
                named = named.replaceAll("(?m)^" + Pattern.quote(key) + ":", typed + ":");
            }
        }
        return OTHER_KEYS
                .matcher(named.replaceAll("(?m)^transports:", "TRANSPORT:"))
                .replaceAll(found -> transport + " takes --" + found.group(1).replace(", ", ", --"));
    }

    /** Returns the name of a key's option. */
    private String name(String key) {
        return "--" + (isSetting(key) || UNNAMED.contains(section(key)) ? key.substring(key.indexOf('.') + 1) : key);
    }

    private List<String> names(String key) {
        return withSecond(name(key));
    }

    private static List<String> withSecond(String name) {
        String second = SECOND_NAMES.get(name);
        return second == null ? List.of(name) : List.of(name, second);
    }

    private boolean isSetting(String key) {
        return transports.find(section(key)).isPresent();
    }

    private String heading(String section) {
        if (section.isEmpty()) {
            return "Keys of the experiment";
        }
        return transports.find(section).isPresent() ? "Settings of the transport" : "Keys of " + section;
    }

    private static String section(String key) {
        return key.substring(0, Math.max(0, key.indexOf('.')));
    }
}
