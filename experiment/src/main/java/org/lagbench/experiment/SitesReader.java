package org.lagbench.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Section;
import org.lagbench.core.text.Endpoint;
import org.lagbench.experiment.MappingReader.Placed;
import org.lagbench.experiment.MatrixSpec.Pair;
import org.lagbench.experiment.MatrixSpec.Site;
import org.lagbench.experiment.YamlNode.Mapping;
import org.lagbench.experiment.YamlNode.Sequence;

/** Reads and writes the files of sites of {@code lagbench matrix}. */
public final class SitesReader {
    private static final int BYTES_PER_MB = 1_000_000;
    private static final int MAX_PACKET_BYTES = 1_400;
    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}|(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f.]{0,15}");

    private static final Parameter<String> NAME =
            RunParameters.NAME.accepting("up to 100 letters, digits, dots, hyphens and underscores");
    private static final Parameter<Optional<Path>> KEY_FILE =
            Parameter.of("key-file", "a path", Path::of, Path::toString).optional();
    private static final Parameter<Integer> PACKET_BYTES = Parameter.integer(
                    "packet-bytes", RunParameters.MINIMUM_PACKET_BYTES, MAX_PACKET_BYTES)
            .byDefault(200);
    private static final Parameter<Long> PACKETS =
            Parameter.number("packets", 10, 1_000_000).byDefault(500L);
    private static final Parameter<Long> INTERVAL = Parameter.time("interval", 100_000, TimeUnit.SECONDS.toNanos(10))
            .byDefault(TimeUnit.MILLISECONDS.toNanos(4));
    private static final Parameter<Long> BUDGET_MB = Parameter.number("budget-mb", 0, 10_000)
            .byDefault(20L)
            .map(mb -> mb * BYTES_PER_MB, bytes -> bytes / BYTES_PER_MB);
    private static final Parameter<String> SITE_NAME =
            Parameter.text("name", Site.NAME, "up to 31 letters, digits, hyphens and underscores");
    private static final Section<Endpoint> AGENT = Section.of(
            Endpoint.class,
            Parameter.text("host", HOST, "a name or an address without a port").namingHost(),
            Parameter.integer("port", 1, 65_535).byDefault(Endpoint.DEFAULT_RECEIVER.port()));
    private static final Section<Site> SITE =
            Section.of(Site.class, SITE_NAME, Parameter.section("", AGENT).namingHost(), KEY_FILE);
    private static final Parameter<List<Site>> SITES =
            Parameter.section("sites", SITE).list().byDefault(List.of()).accepting("a list of at least two sites");
    private static final Parameter<List<String>> PAIRS = Parameter.text(
                    "pairs", Pattern.compile(Site.NAME + "/" + Site.NAME), "a list of pairs of sites, each as FROM/TO")
            .list()
            .accepting("a list of pairs of sites, each as FROM/TO")
            .byDefault(List.of());
    private static final Section<MatrixSpec> SECTION =
            Section.of(MatrixSpec.class, NAME, PACKET_BYTES, PACKETS, INTERVAL, BUDGET_MB, SITES, PAIRS);
    private static final List<Parameter<?>> KEYS =
            List.of(NAME, PACKET_BYTES, PACKETS, INTERVAL, BUDGET_MB, KEY_FILE, SITES, PAIRS);

    private SitesReader() {}

    /** Returns all parameters by their keys; those of a site are {@code sites.key}. */
    public static Map<String, Parameter<?>> keys() {
        return ExperimentReader.withSections("", KEYS);
    }

    /**
     * Reads a file.
     *
     * @throws LagbenchException if it cannot be read, or with a line for each error
     */
    public static MatrixSpec read(Path file) throws LagbenchException {
        YamlNode.SourceLocation place = YamlNode.SourceLocation.file(file.toString());
        Problems problems = new Problems();
        Mapping mapping = YamlReader.readMapping(
                ExperimentFile.read(file), place, "a matrix has the key sites, a list of sites.", problems);
        MappingReader keys = new MappingReader(mapping, "", problems);
        keys.refuseUnknown(ExperimentKeys.names(KEYS));
        List<Site> sites = sites(keys, file.toAbsolutePath().resolveSibling(""));
        Map<Parameter<?>, Object> given = Map.of(
                NAME, keys.get(NAME, ExperimentFile.name(file, "matrix")),
                SITES, sites,
                PAIRS, pairs(keys, sites.stream().map(Site::name).toList()));
        Optional<MatrixSpec> spec = keys.record(SECTION, null, given);
        problems.throwIfAny();
        return spec.orElseThrow();
    }

    private static List<Site> sites(MappingReader keys, Path directory) {
        YamlNode node = keys.node(SITES);
        int count = node instanceof Sequence sequence ? sequence.elements().size() : 0;
        if (count < 2 || count > MatrixSpec.MAXIMUM_SITES) {
            keys.add(
                    SITES,
                    "a matrix has 2 to " + MatrixSpec.MAXIMUM_SITES
                            + " sites, each {name: vienna, host: 192.0.2.7}; this has " + (count == 0 ? "none" : count)
                            + ".");
            return List.of();
        }
        Path common = keys.get(KEY_FILE).orElse(null);
        Set<String> names = new HashSet<>();
        List<Site> sites = new ArrayList<>();
        for (Placed<Site> placed : keys.list(SITES)) {
            Site site = placed.value();
            if (!names.add(site.name())) {
                keys.problems()
                        .add(
                                placed.place(SITE_NAME),
                                SITES + "." + SITE_NAME + ": another site has the name " + site.name() + " as well.");
            }
            Path key = site.keyFile() == null ? common : site.keyFile();
            sites.add(new Site(
                    site.name(),
                    site.agent(),
                    key == null ? null : directory.resolve(key).normalize()));
        }
        return sites;
    }

    private static List<Pair> pairs(MappingReader keys, List<String> sites) {
        List<Pair> pairs = new ArrayList<>();
        for (String text : MappingReader.values(keys.list(PAIRS))) {
            List<String> names = List.of(text.split("/", 2));
            Pair pair = new Pair(sites.indexOf(names.get(0)), sites.indexOf(names.get(1)));
            if (pair.from() < 0 || pair.to() < 0 || pair.from() == pair.to()) {
                keys.add(PAIRS, text + " is not a pair of two different sites of this file.");
            }
            pairs.add(pair);
        }
        return pairs;
    }

    /** Returns the hosts to which a matrix connects. */
    public static Set<String> hosts(MatrixSpec spec) {
        return NamedHosts.of(SECTION, spec);
    }

    /** Returns a file with all defaults, which reads as an equal matrix. */
    public static String format(MatrixSpec spec) {
        List<String> lines = new ArrayList<>(
                YamlWriter.entries(SECTION, spec, List.of(NAME, PACKET_BYTES, PACKETS, INTERVAL, BUDGET_MB)));
        lines.add(SITES + ":");
        spec.sites().forEach(site -> lines.add("  - " + YamlWriter.mapping(SITE, site)));
        if (!spec.pairs().isEmpty()) {
            List<String> pairs = spec.pairs().stream()
                    .map(pair -> spec.sites().get(pair.from()).name() + "/"
                            + spec.sites().get(pair.to()).name())
                    .toList();
            lines.add(PAIRS + ": " + YamlWriter.value(PAIRS, pairs));
        }
        return String.join("\n", lines) + "\n";
    }
}
