package org.lagbench.core.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.experiment.ValueReader.Placed;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;

/** Reads the transports' sections, also of transports that the experiment does not use. */
final class TransportReader {
    private final Problems problems;

    TransportReader(Problems problems) {
        this.problems = problems;
    }

    /**
     * A transport and its settings.
     *
     * @param place the section of its settings, or else its name
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
        Mapping absent = new Mapping(elsewhere, Map.of());
        List<Key<Object>> keys = keys(transport);
        MappingReader reader = MappingReader.ofSection(
                        Key.of(transport.name(), "settings: " + String.join(", ", Key.names(keys))),
                        settings == null || settings.value().isNothing() ? absent : settings.value(),
                        keys,
                        problems)
                .orElseGet(() -> new MappingReader(absent, "", problems));
        Map<String, List<String>> axes = new LinkedHashMap<>();
        for (SettingDefinition setting : transport.settings()) {
            List<Object> values = reader.list(key(setting), setting.parse(setting.defaultText()));
            axes.put(setting.name(), values.stream().map(Object::toString).toList());
        }
        return new Section(
                settings == null ? elsewhere : settings.keyPlace(),
                transport,
                new TransportAxes(transport.name(), transport.settings(), axes));
    }

    /** Returns the keys of a transport's section. */
    static List<Key<Object>> keys(Transport transport) {
        return transport.settings().stream().map(TransportReader::key).toList();
    }

    private static Key<Object> key(SettingDefinition setting) {
        return new Key<>(setting.name(), setting.accepted() + ", or a list of these", setting::parse);
    }
}
