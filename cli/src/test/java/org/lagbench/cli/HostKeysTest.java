package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.experiment.NetworkReader;
import org.lagbench.experiment.SitesReader;

/** What a session of another author connects to is printed before: every key that names a host is known as such. */
class HostKeysTest {
    private static final ExperimentReader READER = new ExperimentReader(Transports.load(), Engines.load(), false);
    private static final List<String> HOSTS = List.of("192.0.2.9", "192.0.2.9:9", "[2001:db8::9]:9", "a.example.org");
    private static final String NO_HOST = "no host!";

    /** Keys whose values may look like a host although they name none, or one to which nothing is sent. */
    private static final Set<String> OTHERS =
            Set.of("name", "lab.name", "sites.name", "local.bind", "local.device", "pairs");

    @Test
    void marksEveryKeyThatNamesHost() {
        Map<String, Parameter<?>> keys = all(READER.keys());
        keys.putAll(all(SitesReader.keys()));
        keys.putAll(all(NetworkReader.keys()));
        List<String> unmarked = keys.entrySet().stream()
                .filter(key -> !key.getValue().namesHost() && !OTHERS.contains(key.getKey()))
                .filter(key -> HOSTS.stream().anyMatch(host -> accepts(key.getValue(), host))
                        && !accepts(key.getValue(), NO_HOST))
                .map(Map.Entry::getKey)
                .toList();

        assertThat(unmarked).isEmpty();
        assertThat(hostKeys()).contains("receiver", "data-host", "clock.chrony", "monitor.targets", "udp.via");
    }

    @ParameterizedTest
    @MethodSource("hostKeys")
    void findsHostOfKey(String key) throws Exception {
        String host = accepts(all(READER.keys()).get(key), HOSTS.get(1)) ? HOSTS.get(1) : HOSTS.get(0);
        List<String> values = new ArrayList<>(List.of("transports=udp", "packet-bytes=992"));
        if (!key.equals("receiver")) {
            values.add("receiver=192.0.2.1:5394");
        }
        Experiment without = READER.build("test", values);
        values.add(key + "=" + host);
        Experiment with = READER.build("test", values);

        assertThat(without.hosts()).doesNotContain(host);
        assertThat(with.hosts()).contains(host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp: {via: '192.0.2.9:9'}", "udp: {via: [none, '192.0.2.9:9']}"})
    void findsHostsOfProbes(String setting) throws Exception {
        Experiment experiment = READER.build(
                "test",
                List.of(
                        "packet-bytes=992",
                        "monitor={probes: [{name: a, transports: udp, packet-bytes: 992, " + setting + "}]}"));

        assertThat(experiment.hosts()).containsExactly("192.0.2.9:9");
    }

    @Test
    void findsNoHostOfDefaults() throws Exception {
        assertThat(READER.build("test", List.of("packet-bytes=992")).hosts()).isEmpty();
    }

    @Test
    void findsHostsOfSites(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(
                directory.resolve("sites.yaml"),
                "sites: [{name: a, host: 192.0.2.9}, {name: b, host: b.example.org, port: 9}]\n");

        assertThat(SitesReader.hosts(SitesReader.read(file))).containsExactly("192.0.2.9:5394", "b.example.org:9");
    }

    static Stream<String> hostKeys() {
        return all(READER.keys()).entrySet().stream()
                .filter(key -> key.getValue().namesHost())
                .map(Map.Entry::getKey);
    }

    /** Returns keys with those of their mappings, as {@code key.inner}. */
    private static Map<String, Parameter<?>> all(Map<String, Parameter<?>> keys) {
        Map<String, Parameter<?>> all = new TreeMap<>(keys);
        keys.forEach((name, key) -> {
            if (key.section() != null) {
                Map<String, Parameter<?>> inner = new TreeMap<>();
                key.section().keys().forEach(each -> inner.put(name + "." + each.name(), each));
                all.putAll(all(inner));
            }
        });
        return all;
    }

    private static boolean accepts(Parameter<?> parameter, String text) {
        try {
            parameter.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
