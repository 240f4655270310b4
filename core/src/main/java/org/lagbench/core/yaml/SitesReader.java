package org.lagbench.core.yaml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.MatrixSpec;
import org.lagbench.core.model.PairRounds.Pair;
import org.lagbench.core.model.Site;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.yaml.YamlNode.Mapping;
import org.lagbench.core.yaml.YamlNode.Sequence;

/** Reads and writes the files of sites of {@code lagbench matrix}. */
public final class SitesReader {
    private static final int BYTES_PER_MB = 1_000_000;
    private static final int MOST_PACKET_BYTES = 1_400;
    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}|(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f.]{0,15}");

    private static final Key<String> NAME =
            Key.matching(RunSpec.NAME, "name", "up to 100 letters, digits, dots, hyphens and underscores");
    private static final Key<String> KEY_FILE = Key.of("key-file", "a path");
    private static final Key<Integer> PACKET_BYTES =
            Key.integer("packet-bytes", RunSpec.MINIMUM_PACKET_BYTES, MOST_PACKET_BYTES);
    private static final Key<Long> PACKETS = Key.number("packets", 10, 1_000_000);
    private static final Key<Long> INTERVAL = Key.time("interval", 100_000, TimeUnit.SECONDS.toNanos(10));
    private static final Key<Integer> BUDGET_MB = Key.integer("budget-mb", 0, 10_000);
    private static final Key<String> SITES = Key.of("sites", "a list of at least two sites");
    private static final Key<String> PAIRS = Key.matching(
            Pattern.compile(Site.NAME + "/" + Site.NAME), "pairs", "a list of pairs of sites, each as FROM/TO");
    private static final List<Key<?>> KEYS =
            List.of(NAME, PACKET_BYTES, PACKETS, INTERVAL, BUDGET_MB, KEY_FILE, SITES, PAIRS);

    private static final Key<String> SITE_NAME =
            Key.matching(Site.NAME, "name", "up to 31 letters, digits, hyphens and underscores");
    private static final Key<String> SITE_HOST = Key.matching(HOST, "host", "a name or an address without a port");
    private static final Key<Integer> SITE_PORT = Key.integer("port", 1, 65_535);
    private static final List<Key<?>> SITE_KEYS = List.of(SITE_NAME, SITE_HOST, SITE_PORT, KEY_FILE);

    private final Path file;
    private final Problems problems = new Problems();

    private SitesReader(Path file) {
        this.file = file;
    }

    /** Returns the accepted values of every key; the keys of a site are {@code sites.key}. */
    public static Map<String, String> keys() {
        Map<String, String> keys = new LinkedHashMap<>(Key.accepted("", KEYS));
        keys.putAll(Key.accepted(SITES.name() + ".", SITE_KEYS));
        return keys;
    }

    /**
     * Reads a file.
     *
     * @throws LagbenchException if it cannot be read, or with a line for each error
     */
    public static MatrixSpec read(Path file) throws LagbenchException {
        return new SitesReader(file).read();
    }

    private MatrixSpec read() throws LagbenchException {
        SourceLocation place = SourceLocation.file(file.toString());
        YamlNode root = YamlReader.read(ExperimentFile.read(file), place, "", problems);
        if (!(root instanceof Mapping mapping)) {
            problems.add(root == null ? place : root.place(), "a matrix has the key sites, a list of sites.");
            throw problems.failure();
        }
        MappingReader keys = new MappingReader(mapping, "", problems);
        keys.refuseUnknown(Key.names(KEYS));
        List<Site> sites = sites(keys);
        MatrixSpec spec = new MatrixSpec(
                keys.get(NAME, nameOfFile()),
                keys.get(PACKET_BYTES, 200),
                keys.get(PACKETS, 500L),
                keys.get(INTERVAL, TimeUnit.MILLISECONDS.toNanos(4)),
                (long) keys.get(BUDGET_MB, 20) * BYTES_PER_MB,
                sites,
                pairs(keys, sites.stream().map(Site::name).toList()));
        problems.throwIfAny();
        return spec;
    }

    private List<Site> sites(MappingReader keys) {
        YamlNode node = keys.node(SITES);
        if (!(node instanceof Sequence sequence)
                || sequence.elements().size() < 2
                || sequence.elements().size() > MatrixSpec.MAXIMUM_SITES) {
            keys.add(
                    SITES,
                    "a matrix has 2 to " + MatrixSpec.MAXIMUM_SITES
                            + " sites, each {name: vienna, host: 192.0.2.7}; this has "
                            + (node instanceof Sequence list ? list.elements().size() : "none") + ".");
            return List.of();
        }
        Path common = keyFile(keys, null);
        List<Site> sites = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (YamlNode element : sequence.elements()) {
            MappingReader.ofSection(
                            Key.of(SITES.name(), "sites, each with name and host"), element, SITE_KEYS, problems)
                    .ifPresent(site -> sites.add(site(site, names, common)));
        }
        return sites;
    }

    private Site site(MappingReader keys, Set<String> names, @Nullable Path commonKey) {
        for (Key<String> key : List.of(SITE_NAME, SITE_HOST)) {
            if (!keys.has(key)) {
                keys.add(key, "a site needs one.");
            }
        }
        String name = keys.get(SITE_NAME, "");
        if (!name.isEmpty() && !names.add(name)) {
            keys.add(SITE_NAME, "another site has the name " + name + " as well.");
        }
        return new Site(
                name,
                new Endpoint(keys.get(SITE_HOST, ""), keys.get(SITE_PORT, ReceiverConnection.DEFAULT_RECEIVER.port())),
                keyFile(keys, commonKey));
    }

    private List<Pair> pairs(MappingReader keys, List<String> sites) {
        List<Pair> pairs = new ArrayList<>();
        for (String text : keys.has(PAIRS) ? keys.list(PAIRS, "") : List.<String>of()) {
            List<String> names = List.of(text.split("/", 2));
            Pair pair = new Pair(sites.indexOf(names.get(0)), sites.indexOf(names.get(1)));
            if (pair.from() < 0 || pair.to() < 0 || pair.from() == pair.to()) {
                keys.add(PAIRS, text + " is not a pair of two different sites of this file.");
            }
            pairs.add(pair);
        }
        return pairs;
    }

    private @Nullable Path keyFile(MappingReader keys, @Nullable Path absent) {
        Path directory = file.toAbsolutePath().resolveSibling("");
        return keys.read(KEY_FILE.map(text -> directory.resolve(text).normalize()))
                .orElse(absent);
    }

    private String nameOfFile() {
        String name = Objects.toString(file.getFileName(), "").replaceFirst("\\.ya?ml$", "");
        return RunSpec.NAME.matcher(name).matches() ? name : "matrix";
    }

    /** Returns a file with all defaults, which reads as an equal matrix. */
    public static String yaml(MatrixSpec spec) {
        StringBuilder yaml = new StringBuilder();
        for (String line : List.of(
                NAME.yaml(spec.name()),
                PACKET_BYTES.yaml(spec.packetBytes()),
                PACKETS.yaml(spec.packets()),
                INTERVAL.yaml(Intervals.format(spec.intervalNs())),
                BUDGET_MB.yaml(spec.budgetBytes() / BYTES_PER_MB),
                SITES.name() + ":")) {
            yaml.append(line).append('\n');
        }
        for (Site site : spec.sites()) {
            List<String> entries = new ArrayList<>(List.of(
                    SITE_NAME.yaml(ExperimentWriter.scalar(site.name())),
                    SITE_HOST.yaml(ExperimentWriter.scalar(site.agent().host())),
                    SITE_PORT.yaml(site.agent().port())));
            Path key = site.keyFile();
            if (key != null) {
                entries.add(KEY_FILE.yaml(ExperimentWriter.scalar(key.toString())));
            }
            yaml.append("  - ").append(Key.mapping(entries)).append('\n');
        }
        if (!spec.pairs().isEmpty()) {
            yaml.append(PAIRS.yaml(spec.pairs().stream()
                            .map(pair -> ExperimentWriter.scalar(
                                    spec.sites().get(pair.from()).name() + "/"
                                            + spec.sites().get(pair.to()).name()))
                            .collect(Collectors.joining(", ", "[", "]"))))
                    .append('\n');
        }
        return yaml.toString();
    }
}
