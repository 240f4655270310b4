package org.lagbench.core.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.experiment.ValueReader.Placed;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.transport.Transport;

/** Reads {@code transports} and the sections with their settings, also of those that the experiment leaves out. */
final class TransportReader {
    private final List<Transport> transports;
    private final Problems problems;
    private final ValueReader values;

    TransportReader(List<Transport> transports, Problems problems) {
        this.transports = transports;
        this.problems = problems;
        this.values = new ValueReader(problems);
    }

    /**
     * A transport and its settings.
     *
     * @param place where its settings are, or else its name
     */
    record Section(SourceLocation place, Transport transport, TransportAxes axes) {}

    /**
     * The experiment's transports, without those that were refused.
     *
     * @param root the file
     * @param names what it says for {@code transports}
     */
    List<Section> read(Mapping root, YamlNode names) {
        Map<String, Section> sections = new LinkedHashMap<>();
        for (Transport transport : transports) {
            Entry entry = root.entries().get(transport.name());
            sections.put(
                    transport.name(),
                    new Section(entry == null ? names.place() : entry.keyPlace(), transport, axes(transport, entry)));
        }
        String accepted = "one or several of " + String.join(", ", sections.keySet());
        List<Section> listed = new ArrayList<>();
        for (Placed<String> name : values.many(ExperimentKey.TRANSPORTS.text(), names, accepted, text -> text)) {
            Section section = sections.get(name.value());
            if (section == null) {
                problems.add(
                        name.place(),
                        ExperimentKey.TRANSPORTS.text() + ": " + Scalar.quote(name.value()) + " is not a transport; "
                                + (name.value().contains(",")
                                        ? Problems.LIST_HINT
                                        : NearestName.hint(name.value(), sections.keySet())));
            } else {
                listed.add(section);
            }
        }
        return listed;
    }

    /** One transport and the settings that stand there; the defaults if nothing does. */
    Section read(Transport transport, @Nullable Entry settings, SourceLocation elsewhere) {
        return new Section(settings == null ? elsewhere : settings.keyPlace(), transport, axes(transport, settings));
    }

    private TransportAxes axes(Transport transport, @Nullable Entry entry) {
        List<SettingDefinition> definitions = transport.settings();
        List<String> names = definitions.stream().map(SettingDefinition::name).toList();
        Map<String, Entry> given = Map.of();
        if (entry != null && entry.value() instanceof Mapping mapping) {
            values.refuseUnknown(mapping, transport.name() + ".", names);
            given = mapping.entries();
        } else if (entry != null && !entry.value().isNothing()) {
            problems.refuse(transport.name(), entry.value(), "settings of its own: " + String.join(", ", names));
        }
        Map<String, List<String>> axes = new LinkedHashMap<>();
        for (SettingDefinition definition : definitions) {
            Entry value = given.get(definition.name());
            axes.put(
                    definition.name(),
                    value == null
                            ? List.of(definition.parse(definition.defaultText()).toString())
                            : axis(transport.name() + "." + definition.name(), value.value(), definition));
        }
        return new TransportAxes(transport.name(), definitions, axes);
    }

    private List<String> axis(String key, YamlNode node, SettingDefinition definition) {
        return values.many(key, node, accepted(definition), definition::parse).stream()
                .map(value -> value.value().toString())
                .toList();
    }

    /** What a key of a section takes, as part of a sentence. */
    static String accepted(SettingDefinition definition) {
        return definition.accepted() + ", or a list of these";
    }
}
