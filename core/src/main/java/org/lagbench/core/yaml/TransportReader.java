package org.lagbench.core.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.yaml.ValueReader.Placed;
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
    record Section(SourceLocation place, Transport transport, TransportAxes axes) {}

    /**
     * Returns the experiment's transports.
     *
     * @param root the file
     * @param listed the transports that the file names
     * @param elsewhere the location for a transport without a section
     */
    List<Section> read(Mapping root, Transports transports, List<Placed<Transport>> listed, SourceLocation elsewhere) {
        Map<Transport, Section> sections = new LinkedHashMap<>();
        for (Transport transport : transports.all()) {
            sections.put(transport, read(transport, root.entries().get(transport.name()), elsewhere));
        }
        return listed.stream().map(transport -> sections.get(transport.value())).toList();
    }

    /** Returns one transport with the settings of an entry, or with the defaults if the entry is null. */
    Section read(Transport transport, @Nullable Entry settings, SourceLocation elsewhere) {
        return new Section(
                settings == null ? elsewhere : settings.keyPlace(),
                transport,
                axes(transport.name(), transport.settings(), settings, elsewhere));
    }

    /** Returns the settings of an entry with a transport's or an engine's name, the defaults if the entry is null. */
    TransportAxes axes(
            String name, List<Parameter<?>> definitions, @Nullable Entry settings, SourceLocation elsewhere) {
        Mapping absent = new Mapping(elsewhere, Map.of());
        List<Key<Object>> keys = keys(definitions);
        MappingReader reader = MappingReader.ofSection(
                        Key.of(name, "settings: " + String.join(", ", Key.names(keys))),
                        settings == null || settings.value().isNothing() ? absent : settings.value(),
                        keys,
                        problems)
                .orElseGet(() -> new MappingReader(absent, "", problems));
        Map<String, List<String>> axes = new LinkedHashMap<>();
        for (Parameter<?> setting : definitions) {
            List<Object> values = reader.list(key(setting), setting.parse(setting.absentText()));
            axes.put(setting.name(), values.stream().map(Object::toString).toList());
        }
        return new TransportAxes(name, definitions, axes);
    }

    /** Returns the keys of the section of a transport or an engine. */
    static List<Key<Object>> keys(List<Parameter<?>> settings) {
        return settings.stream().map(TransportReader::key).toList();
    }

    private static Key<Object> key(Parameter<?> setting) {
        return new Key<>(setting.name(), setting.accepted() + ", or a list of these", setting::parse);
    }
}
