package org.lagbench.experiment;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Section;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.experiment.YamlNode.Entry;
import org.lagbench.experiment.YamlNode.Mapping;
import org.lagbench.experiment.YamlNode.SourceLocation;

/**
 * Reads experiment files. The result is an experiment whose every value is within its range, or a
 * {@link LagbenchException} whose message has a line for each error: {@code file:line:column:}, the key, the value and
 * the accepted values. Thread-safe.
 *
 * @param anyJvmOptions whether the user trusts the experiment's JVM options, also doubtful ones
 */
public record ExperimentReader(Transports transports, Engines engines, boolean anyJvmOptions) {
    /** The option of commands that accept any JVM options in an experiment. */
    public static final String ALLOW_JVM_OPTIONS = "--allow-jvm-options";

    /**
     * Creates a reader of experiments for these engines and transports; the name of a transport or of an engine with
     * settings is a key of the file. It refuses {@linkplain JvmOptions#doubtful() doubtful} JVM options.
     */
    public ExperimentReader(Transports transports, Engines engines) {
        this(transports, engines, false);
    }

    public Experiment read(Path file) throws LagbenchException {
        return read(file, List.of());
    }

    /**
     * Reads a file and replaces the values of the given keys.
     *
     * @param overrides each {@code key=value}, or {@code section.key=value} for {@code pace}, {@code clock} and the
     *     transports' sections; the value in YAML ({@code packet-bytes=[24, 992]}). The last one for a key wins.
     *     Messages name them {@code --set key}.
     * @throws LagbenchException if the file cannot be read (exit code FILES), or is wrong (USAGE)
     */
    public Experiment read(Path file, List<String> overrides) throws LagbenchException {
        return read(file, overrides, key -> true);
    }

    /** Returns whether a file names a key, even with the default as its value. */
    public static boolean names(Path file, String key) throws LagbenchException {
        YamlNode root =
                YamlReader.read(ExperimentFile.read(file), SourceLocation.file(file.toString()), "", new Problems());
        return root instanceof Mapping mapping && mapping.entries().containsKey(key);
    }

    /**
     * Reads the hosts and the network between them from a file. The overrides have the points. Other keys of the file
     * are not read, except the sections of transports and engines.
     *
     * @param overrides as those of {@link #read(Path, List)}
     */
    public Experiment readPath(Path file, List<String> overrides) throws LagbenchException {
        Set<String> used = new HashSet<>(ExperimentKeys.names(ExperimentKeys.PATH));
        used.addAll(transports.names());
        engines.all().forEach(engine -> used.add(engine.name()));
        return read(file, overrides, used::contains);
    }

    private Experiment read(Path file, List<String> overrides, Predicate<String> isUsed) throws LagbenchException {
        String text = ExperimentFile.read(file);
        Problems problems = new Problems();
        SourceLocation source = SourceLocation.file(file.toString());
        YamlNode root = YamlReader.read(text, source, "", problems);
        if (root instanceof Mapping mapping) {
            Map<String, Entry> entries = new LinkedHashMap<>(mapping.entries());
            entries.keySet().removeIf(isUsed.negate());
            Mapping merged = new Overrides(SourceLocation.override(), problems)
                    .apply(new Mapping(mapping.place(), entries), overrides);
            return new ExperimentBuilder(this, file, merged, problems).build();
        }
        if (root == null) {
            problems.add(source, "the file is empty; write what differs from the defaults, such as packets: 10000.");
        } else {
            problems.add(
                    root.place(),
                    "an experiment has keys with values, such as packets: 10000; this is " + root.found() + ".");
        }
        throw problems.failure();
    }

    /**
     * Builds an experiment without a file.
     *
     * @param name its name if the values have none; also precedes messages about the whole experiment
     * @param values the keys that differ from the defaults, as the overrides of {@link #read(Path, List)}
     * @throws LagbenchException with exit code USAGE if a value is wrong
     */
    public Experiment build(String name, List<String> values) throws LagbenchException {
        Problems problems = new Problems();
        SourceLocation place = SourceLocation.commandLine();
        Mapping root = new Overrides(place, problems).apply(new Mapping(place, Map.of()), values);
        return new ExperimentBuilder(this, Path.of(name), root, problems).build();
    }

    /**
     * Returns the parameters of an experiment file by the key or {@code section.key}, in the order of
     * {@link Experiment#toYaml()}.
     */
    public Map<String, Parameter<?>> keys() {
        Map<String, Parameter<?>> keys = new LinkedHashMap<>();
        for (Parameter<?> key : ExperimentKeys.ALL) {
            if (key.equals(ExperimentKeys.PACE)) {
                keys.putAll(withSections(key + ".", ExperimentKeys.PACES.keys()));
            } else if (key.section() != null && key.absent() instanceof Record) {
                keys.putAll(withSections(key + ".", key.section().keys()));
            } else {
                keys.put(key.name(), key);
            }
        }
        transports.all().forEach(transport -> keys.putAll(settings(transport.name(), transport.settings())));
        engines.all().forEach(engine -> keys.putAll(settings(engine.name(), engine.settings())));
        return keys;
    }

    /** Returns the keys that describe the points, besides the sections of transports and engines. */
    public static List<Parameter<?>> pointKeys() {
        return ExperimentKeys.POINTS;
    }

    private static Map<String, Parameter<?>> settings(String name, List<Parameter<?>> settings) {
        return withSections(name + ".", settings.stream().map(Parameter::list).toList());
    }

    /** Returns parameters by their names after a prefix; those of a list's mappings are {@code list.key}. */
    static Map<String, Parameter<?>> withSections(String prefix, List<? extends Parameter<?>> parameters) {
        Map<String, Parameter<?>> keys = new LinkedHashMap<>();
        Map<String, Parameter<?>> inner = new LinkedHashMap<>();
        for (Parameter<?> parameter : parameters) {
            keys.put(prefix + parameter.name(), parameter);
            Parameter<?> element = parameter.element();
            Section<?> section = element == null ? null : element.section();
            if (section != null) {
                inner.putAll(withSections(prefix + parameter.name() + ".", section.keys()));
            }
        }
        keys.putAll(inner);
        return keys;
    }
}
