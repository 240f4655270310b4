package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;

/** Rules on sources, where bytecode hides a name or an import. */
@Tag("one-java")
class SourceRulesTest {
    /** Root of the source tree. */
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /**
     * Experiments and files use names; code, in Java and C, asks for capabilities. A literal spells a name if it is the
     * name alone, the value of an experiment's key, the first part of a setting's key, or one of several names in a
     * row, as in a help text. A description's package may spell its own name, and examples of commands may spell any.
     */
    @Test
    void namesTransportsAndEnginesOnlyInTheirDescriptions() throws IOException {
        Map<String, Class<?>> definitions = new HashMap<>();
        Transports.load().all().forEach(transport -> definitions.put(transport.name(), transport.getClass()));
        Engines.load().all().forEach(engine -> definitions.put(engine.name(), engine.getClass()));
        assertThat(definitions).hasSizeGreaterThanOrEqualTo(15);
        String name = "(" + String.join("|", definitions.keySet()) + ")(?![\\w-])";
        Pattern spelled = Pattern.compile("\"" + name + "\""
                + "|\"(?:transports?|engines?)[=:] ?\\[?" + name
                + "|\"" + name + "\\.[a-z-]+="
                + "|\"(?:[^\"\\n]*[^-\\w\"\\n/.=])?" + name + "(?:, | or | and )" + name);
        Set<String> literals = new TreeSet<>();
        for (Path source : sources(".java", ".c", ".h")) {
            // "java" also names the program and the key of the JVM's version
            String text = Files.readString(source)
                    .replace("\"bin\", \"java\"", "")
                    .replace("put(\"java\", System.getProperty(", "")
                    .replaceAll("(?s)footer = (\\{.*?\n        \\}|\"[^\n]*)", "");
            spelled.matcher(text).results().forEach(literal -> {
                boolean isOwn = IntStream.rangeClosed(1, literal.groupCount())
                        .mapToObj(literal::group)
                        .filter(Objects::nonNull)
                        .allMatch(own -> source.getParent()
                                .endsWith(definitions.get(own).getPackageName().replace('.', '/')));
                if (!isOwn) {
                    literals.add(ROOT.relativize(source) + ": " + literal.group());
                }
            });
        }
        assertThat(literals).isEmpty();
    }

    /** The kernel records at most 15 characters of a thread's name. */
    @Test
    void recognizesAllOwnThreadsByName() throws IOException {
        Pattern started = Pattern.compile("new (?:Background)?Thread\\([^;\"]*\"([a-z][^\"]+)\"");
        Map<String, String> groups = new TreeMap<>();
        for (Path source : sources(".java")) {
            started.matcher(Files.readString(source))
                    .results()
                    .map(name -> name.group(1))
                    .forEach(name -> {
                        String kernelName = (name + "1-1").substring(0, Math.min(name.length() + 3, 15));
                        String recorded =
                                name.endsWith("-") ? kernelName : name.substring(0, Math.min(name.length(), 15));
                        groups.put(recorded, Cause.programGroup(recorded));
                    });
        }
        assertThat(groups).hasSizeGreaterThan(25);
        assertThat(groups.values()).containsOnly("lagbench (own threads)");
    }

    @Test
    void printsNoExceptionByItsJavaName() throws IOException {
        Pattern printed = Pattern.compile("(?:println|strangerLog\\.write)\\([^;]*\\+ e\\)");
        for (Path source : sources(".java")) {
            assertThat(Files.readString(source)).as(source.toString()).doesNotContainPattern(printed);
        }
    }

    /** The JDK writes {@code fd77:2:0:0:0:0:0:1}, and everybody else {@code fd77:2::1}. */
    @Test
    void formatsAddressesInOnePlace() throws IOException {
        for (Path source : sources(".java")) {
            if (!source.endsWith("Endpoint.java")) {
                assertThat(Files.readString(source)).as(source.toString()).doesNotContain(".getHostAddress(");
            }
        }
    }

    /** Messages of {@code java.net} and {@code java.nio} differ between JDKs. */
    @Test
    void printsIoErrorsByTheirReason() throws IOException {
        String type = "(?:\\w*(?:IO|Socket|Protocol|Remote|Channel|FileSystem|Connect|Host|Bind)|EOF)Exception";
        Pattern caught = Pattern.compile("catch \\(([^)]*\\b" + type + "\\b[^)]*) (\\w+)\\) \\{");
        Pattern declared = Pattern.compile("\\b" + type + " (?!e\\b)(\\w+)\\b"); // "e" has other types in other blocks
        Set<String> printed = new TreeSet<>();
        for (Path source : sources(".java")) {
            String text = Files.readString(source);
            List<String> uses = new ArrayList<>(List.of(")"));
            declared.matcher(text).results().map(found -> found.group(1)).forEach(uses::add);
            caught.matcher(text)
                    .results()
                    .filter(found -> block(text, found.end()).contains(found.group(2) + ".getMessage()"))
                    .forEach(found -> printed.add(source + ": " + found.group()));
            uses.stream()
                    .filter(use -> Pattern.compile("(?:\\b|(?=\\)))" + Pattern.quote(use + ".getMessage()"))
                            .matcher(text)
                            .find())
                    .forEach(use -> printed.add(source + ": " + use + ".getMessage()"));
        }
        // IoErrors itself, and messages of processes and of class loading, which the operating system does not write
        printed.removeIf(use -> use.matches(".*/(?:IoErrors|ChildFailure|Codecs)\\.java: .*"));
        assertThat(printed).isEmpty();
    }

    /** Comments in C name the Java types that they agree with. */
    @Test
    void namesOnlyExistingTypesInC() throws IOException {
        Pattern type = Pattern.compile("org\\.lagbench(?:\\.[a-z]\\w*)+\\.[A-Z]\\w*");
        String types = sources(".java").toString().replace('/', '.');
        Set<String> gone = new TreeSet<>();
        for (Path source : sources(".c", ".h")) {
            type.matcher(Files.readString(source))
                    .results()
                    .map(MatchResult::group)
                    .filter(name -> !types.contains("." + name + ".java"))
                    .forEach(name -> gone.add(source + ": " + name));
        }
        assertThat(gone).isEmpty();
    }

    /** Returns the text from an index up to the brace that closes its block. */
    private static String block(String text, int begin) {
        int end = begin;
        for (int depth = 1; depth > 0; end++) {
            depth += text.charAt(end) == '{' ? 1 : text.charAt(end) == '}' ? -1 : 0;
        }
        return text.substring(begin, end);
    }

    /** Returns the main sources of all modules whose names have one of these ends. */
    private static List<Path> sources(String... ends) throws IOException {
        List<Path> found = new ArrayList<>();
        for (ArchitectureTest.ModuleRules module : ArchitectureTest.modules()) {
            try (Stream<Path> files =
                    Files.walk(ROOT.resolve(module.name()).resolve("src").resolve("main"))) {
                files.filter(file -> Stream.of(ends).anyMatch(file.toString()::endsWith))
                        .forEach(found::add);
            }
        }
        return found;
    }

    /** The compiler copies constants, and does not keep the imports of types that only comments name. */
    @Test
    void hasNoPackageCyclesInSources() throws IOException {
        Map<String, Set<String>> imported = new TreeMap<>();
        Pattern line = Pattern.compile("(?m)^import (?:static )?(org\\.lagbench(?:\\.[a-z]\\w*)+)\\.[A-Z]");
        Pattern own = Pattern.compile("(?m)^package ([\\w.]+);");
        for (Path source : sources(".java")) {
            String text = Files.readString(source);
            Matcher name = own.matcher(text);
            assertThat(name.find()).as(source.toString()).isTrue();
            Set<String> others = imported.computeIfAbsent(name.group(1), one -> new TreeSet<>());
            line.matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .filter(other -> !other.equals(name.group(1)))
                    .forEach(others::add);
        }
        // removed until none is left: the packages that import no other, and those that no other imports
        Map<String, Set<String>> inCycles = new TreeMap<>(imported);
        while (inCycles.entrySet()
                .removeIf(one -> one.getValue().stream().noneMatch(inCycles::containsKey)
                        || inCycles.values().stream().noneMatch(others -> others.contains(one.getKey())))) {
            inCycles.values().forEach(others -> others.retainAll(inCycles.keySet()));
        }
        assertThat(inCycles).isEmpty();
    }
}
