package org.lagbench.experiment;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Section;
import org.lagbench.experiment.Monitoring.ProbeSpec;

/** The hosts in the values of keys that {@linkplain Parameter#namesHost() name another host}, defaults excepted. */
final class NamedHosts {
    private final Set<String> found = new LinkedHashSet<>();

    private NamedHosts() {}

    @SuppressWarnings("unchecked") // a record has values of its parameters
    static Set<String> of(Section<?> section, Record values) {
        NamedHosts hosts = new NamedHosts();
        hosts.addAll((Section<Record>) section, values);
        return hosts.found;
    }

    private void addAll(Section<Record> section, Record values) {
        Iterator<Object> all = section.values(values).iterator();
        section.parameters().forEach(parameter -> add(parameter, all.next()));
    }

    @SuppressWarnings("unchecked")
    private void add(Parameter<?> parameter, Object value) {
        @Nullable Section<?> section = parameter.section();
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(inner -> add(parameter, inner));
        } else if (value instanceof List<?> list) {
            Parameter<?> element = parameter.element() == null ? parameter : parameter.element();
            list.forEach(each -> add(element, each));
        } else if (parameter.namesHost()) {
            if (!value.equals(parameter.absent())) {
                found.add(value.toString());
            }
        } else if (section != null) {
            addAll((Section<Record>) section, (Record) value);
        } else if (value instanceof SettingAxes<?> axes) {
            axes.owner().settings().stream()
                    .filter(Parameter::namesHost)
                    .forEach(setting -> axes.values().getOrDefault(setting.name(), List.of()).stream()
                            .filter(text -> !setting.hasWord(text))
                            .forEach(found::add));
        } else if (value instanceof ProbeSpec probe) {
            found.addAll(probe.points().hosts());
        }
    }
}
