package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lagbench.core.file.FileTree;

/** Each claim of the page on security names a test that exists, and so do the pages of extensions. */
class SecurityPageTest {
    private static final Path HOME = Path.of("..");
    private static final Path PAGE = HOME.resolve("docs/explanation/security.md");
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)#(\\w+)`");

    /** A test that is not one of Java, by its path in the checkout. */
    private static final Pattern FILE = Pattern.compile("`((?:[\\w-]+/)+(?:test[\\w-]*)(?:\\.\\w+)?)`");

    @Test
    void namesTestsThatExist() throws Exception {
        List<Path> modules = new ArrayList<>(FileTree.list(HOME));
        modules.add(HOME.resolve("validation/fuzz"));
        modules.addAll(Extensions.folders());
        List<Path> sources = new ArrayList<>();
        StringBuilder pages = new StringBuilder(Files.readString(PAGE));
        for (Path module : modules) {
            addFiles(module.resolve("src/test/java"), sources);
        }
        for (Path extension : Extensions.folders()) {
            List<Path> files = new ArrayList<>();
            addFiles(extension.resolve("docs"), files);
            for (Path file : files) {
                pages.append(Files.readString(file));
            }
        }
        Matcher named = NAMED.matcher(pages);
        int count = 0;
        for (; named.find(); count++) {
            String file = named.group(1) + ".java";
            Path source = sources.stream()
                    .filter(path -> path.endsWith(file))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no " + file));
            assertThat(Files.readString(source)).as(named.group()).contains("void " + named.group(2) + "(");
        }
        assertThat(count).isPositive();
    }

    private static void addFiles(Path folder, List<Path> files) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> found = Files.walk(folder)) {
                found.filter(Files::isRegularFile).forEach(files::add);
            }
        }
    }

    @Test
    void namesFilesThatExist() throws Exception {
        assertThat(FILE.matcher(Files.readString(PAGE)).results().map(file -> HOME.resolve(file.group(1))))
                .hasSizeGreaterThan(4)
                .allSatisfy(file -> assertThat(file).exists());
    }

    @Test
    void everyRowOfClaimsNamesATest() throws Exception {
        boolean isOfClaims = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (!line.startsWith("|")) {
                isOfClaims = false;
            } else if (line.endsWith("| test |")) {
                isOfClaims = true;
            } else if (isOfClaims && !line.startsWith("|---")) {
                assertThat(line).containsPattern(NAMED);
            }
        }
    }
}
