package org.lagbench.core.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.yaml.MappingReader.Placed;
import org.lagbench.core.yaml.YamlNode.Entry;
import org.lagbench.core.yaml.YamlNode.Mapping;

/** Reads the transports' sections, also of transports that the experiment does not use. */
final class TransportReader {
    private final Problems problems;

    TransportReader(Problems problems) {
        this.problems = problems;
    }

    /**
     * A transport and its settings.
     *
     * @param place the location of its section; without a section, of its name
     */
    record TransportSection(SourceLocation place, Transport transport, TransportAxes axes) {}

    /**
     * Returns the experiment's transports.
     *
     * @param root the file
     * @param listed the transports that the file names
     * @param elsewhere the location for a transport without a section
     */
    List<TransportSection> read(
            Mapping root, Transports transports, List<Placed<Transport>> listed, SourceLocation elsewhere) {
        Map<Transport, TransportSection> sections = new LinkedHashMap<>();
        for (Transport transport : transports.all()) {
            sections.put(transport, read(transport, root.entries().get(transport.name()), elsewhere));
        }
        return listed.stream().map(transport -> sections.get(transport.value())).toList();
    }

    /** Returns one transport with the settings of an entry, or with the defaults if the entry is null. */
    TransportSection read(Transport transport, @Nullable Entry settings, SourceLocation elsewhere) {
        return new TransportSection(
                settings == null ? elsewhere : settings.keyPlace(),
                transport,
                axes(transport.name(), transport.settings(), settings, elsewhere));
    }

    /** Returns the settings of an entry with a transport's or an engine's name, the defaults if the entry is null. */
    TransportAxes axes(
            String name, List<Parameter<?>> definitions, @Nullable Entry settings, SourceLocation elsewhere) {
        Mapping absent = new Mapping(elsewhere, Map.of());
        List<String> names = ExperimentKeys.names(definitions);
        MappingReader reader = MappingReader.ofSection(
                        Parameter.text(name, "settings: " + String.join(", ", names)),
                        settings == null || settings.value().isNothing() ? absent : settings.value(),
                        names,
                        problems)
                .orElseGet(() -> new MappingReader(absent, "", problems));
        Map<String, List<String>> axes = new LinkedHashMap<>();
        for (Parameter<?> setting : definitions) {
            axes.put(setting.name(), texts(reader, setting.list()));
        }
        return new TransportAxes(name, definitions, axes);
    }

    private static <T> List<String> texts(MappingReader reader, Parameter<List<T>> setting) {
        return MappingReader.values(reader.list(setting)).stream()
                .map(Object::toString)
                .toList();
    }
}
