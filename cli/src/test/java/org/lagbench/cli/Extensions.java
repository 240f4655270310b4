package org.lagbench.cli;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.core.importer.Locations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The extensions of this checkout. They are not on the class path of these tests. */
final class Extensions {
    private static final List<Path> FOLDERS = find();

    private Extensions() {}

    private static List<Path> find() {
        try (Stream<Path> found = Files.list(Path.of("..", "extensions"))) {
            return found.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of(); // the base alone
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns their folders; none in a checkout of the base alone. */
    static List<Path> folders() {
        return FOLDERS;
    }

    /** Returns the patterns of their packages, which have the names of the folders. */
    static String[] packages() {
        return FOLDERS.stream()
                .map(folder -> "org.lagbench." + folder.getFileName() + "..")
                .toArray(String[]::new);
    }

    /** Returns the folder of the classes of an extension. */
    static Path classes(Path folder) {
        return folder.resolve("target/classes");
    }

    /** Returns where the classes of the base and of the extensions are. */
    static Set<Location> locations() {
        Set<Location> locations = new HashSet<>(Locations.ofPackage("org.lagbench"));
        FOLDERS.forEach(folder -> locations.add(Location.of(classes(folder))));
        return locations;
    }
}
