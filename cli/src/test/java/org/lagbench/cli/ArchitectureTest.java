package org.lagbench.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.transport.Transports;

/** Which room of the house may know which: the table of the modules, as a test. */
class ArchitectureTest {
    private static final String TCP = "org.lagbench.packetio.tcp..";
    private static final String UDP = "org.lagbench.packetio.udp..";
    private static final String STATISTICS = "org.apache.commons.math3..";

    /** Where the sources of the rooms are. */
    private static final Path HOME = Path.of("").toAbsolutePath().getParent();

    /**
     * A row of the rooms' table.
     *
     * @param room its name
     * @param knows the rooms that its classes may use
     * @param opensSockets whether they may use sockets
     * @param neverKnows packages that they may not use, of the rooms that it knows or of others' libraries
     */
    private record Room(String room, List<String> knows, boolean opensSockets, List<String> neverKnows) {
        String packages() {
            return "org.lagbench." + room + "..";
        }

        @Override
        public String toString() {
            return room;
        }
    }

    private static final List<Room> ROOMS = List.of(
            new Room("core", List.of(), true, List.of(STATISTICS)),
            new Room(
                    "packetio",
                    List.of("core"),
                    true,
                    List.of("org.lagbench.core.experiment..", "org.lagbench.core.control..", STATISTICS)),
            new Room(
                    "native1394",
                    List.of("core", "packetio"),
                    false,
                    List.of(
                            TCP,
                            UDP,
                            "org.lagbench.packetio.socket..",
                            "org.lagbench.packetio.linux..",
                            "org.lagbench.core.control..",
                            STATISTICS)),
            new Room(
                    "lab",
                    List.of("core"),
                    true,
                    List.of(
                            "org.lagbench.core.transport..",
                            "org.lagbench.core.engine..",
                            "org.lagbench.core.control..",
                            "org.lagbench.core.capture..",
                            STATISTICS)),
            new Room("sender", List.of("core", "packetio"), true, List.of(TCP, UDP)),
            new Room("receiver", List.of("core", "packetio"), true, List.of(TCP, UDP)),
            new Room("analysis", List.of("core"), false, List.of("org.lagbench.core.control..")),
            new Room("report", List.of("core", "analysis"), false, List.of("org.lagbench.core.control..", STATISTICS)),
            new Room(
                    "cli",
                    List.of("core", "packetio", "native1394", "lab", "analysis", "report"),
                    true,
                    List.of(TCP, UDP, "org.lagbench.core.capture..", STATISTICS)));

    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.lagbench");

    /** Per packet: what allocates or locks in passing has no place here. */
    private static final String[] HOT_PACKAGES = {
        "org.lagbench.core.capture..",
        "org.lagbench.core.time..",
        "org.lagbench.native1394..",
        "org.lagbench.packetio.."
    };

    private static final DescribedPredicate<JavaClass> SOCKETS = describe("sockets", type -> {
        String name = type.getSimpleName();
        return switch (type.getPackageName()) {
            case "java.net" -> !name.startsWith("UR"); // URI and URL are only names
            case "java.nio.channels" -> name.contains("Socket") || name.contains("Datagram");
            default -> false;
        };
    });

    static List<Room> rooms() {
        return ROOMS;
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void knowsOnlyTheRoomsOfTheTable(Room room) {
        assertThat(HOUSE).anyMatch(type -> resideInAnyPackage(room.packages()).test(type));
        String[] forbidden = Stream.concat(
                        ROOMS.stream()
                                .filter(other ->
                                        !other.equals(room) && !room.knows().contains(other.room()))
                                .map(Room::packages),
                        room.neverKnows().stream())
                .toArray(String[]::new);
        DescribedPredicate<JavaClass> refused = resideInAnyPackage(forbidden);
        check(noClasses()
                .that()
                .resideInAPackage(room.packages())
                .should()
                .dependOnClassesThat(room.opensSockets() ? refused : refused.or(are(SOCKETS))));
    }

    /** Names are for experiments and files; what code asks is a capability. */
    @Test
    void nobodyNamesATransportOrEngineButItsDescription() throws IOException {
        Map<String, Class<?>> definitions = new HashMap<>();
        Transports.load().all().forEach(transport -> definitions.put(transport.name(), transport.getClass()));
        Engines.load().all().forEach(engine -> definitions.put(engine.name(), engine.getClass()));
        assertThat(definitions).hasSize(6);
        Set<String> literals = new TreeSet<>();
        for (Room room : ROOMS) {
            try (Stream<Path> sources = Files.walk(HOME.resolve(room.room()).resolve("src/main/java"))) {
                for (Path source : sources.filter(file -> file.toString().endsWith(".java"))
                        .toList()) {
                    // the program that is a JVM is no engine
                    String text = Files.readString(source).replace("\"bin\", \"java\"", "");
                    definitions.forEach((name, definition) -> {
                        if (text.contains('"' + name + '"') && !source.endsWith(definition.getSimpleName() + ".java")) {
                            literals.add(HOME.relativize(source) + ": \"" + name + "\"");
                        }
                    });
                }
            }
        }
        assertThat(literals).isEmpty();
    }

    @Test
    void transportsKnowNothingOfEachOther() {
        check(noClasses()
                .that()
                .resideInAPackage(TCP)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(UDP));
        check(noClasses()
                .that()
                .resideInAPackage(UDP)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(TCP));
    }

    @Test
    void nobodyKnowsATransportByItsClassButTheRegister() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(TCP, UDP)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(TCP, UDP));
    }

    @Test
    void nobodyDrawsButPlot() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("org.lagbench.report.plot..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.awt..", "javax.imageio..", "javax.swing.."));
    }

    @Test
    void cliOnlyConductsAndSendsNoPacketItself() {
        check(noClasses()
                .that()
                .resideInAPackage("org.lagbench.cli..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "org\\.lagbench\\.packetio\\.(transport|tcp|udp|pace|packet|jvm|nativeengine|linux)\\..*"
                                + "|org\\.lagbench\\.core\\.capture\\..*"
                                + "|org\\.lagbench\\.core\\.control\\.(ControlMessage|Handshake|CaptureTransfer).*"
                                + "|org\\.lagbench\\.native1394\\.(Raw1394|Errno).*"
                                + "|org\\.lagbench\\.(sender|receiver)\\..*"
                                + "|org\\.apache\\.commons\\.math3\\..*"));
    }

    @Test
    void nothingLogsWherePacketsPass() {
        check(noClasses()
                .that()
                .resideInAnyPackage(HOT_PACKAGES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.slf4j..", "ch.qos.logback.."));
    }

    @Test
    void nobodyUsesJavaUtilLogging() {
        check(noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging.."));
    }

    @Test
    void onlyMainClassesEndTheProcess() {
        DescribedPredicate<JavaClass> mainClass =
                describe("have a main method", type -> type.tryGetMethod("main", String[].class)
                        .isPresent());
        check(noClasses().that(DescribedPredicate.not(mainClass)).should().callMethod(System.class, "exit", int.class));
        check(noClasses()
                .that()
                .areNotAssignableTo(ShutdownCoordinator.class)
                .should()
                .callMethod(Runtime.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class));
    }

    @Test
    void nobodySleepsInsteadOfWaiting() {
        check(noClasses()
                .should()
                .callMethodWhere(describe(
                        "the target is Thread.sleep",
                        call -> call.getTargetOwner().isEquivalentTo(Thread.class)
                                && call.getName().equals("sleep"))));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("org.lagbench.(*).(*)..").should().beFreeOfCycles());
    }

    @Test
    void everyPackageSaysWhatMayBeNull() {
        Set<String> packages = new TreeSet<>();
        Set<String> marked = new TreeSet<>();
        for (JavaClass type : HOUSE) {
            packages.add(type.getPackageName());
            if (type.getSimpleName().equals("package-info") && type.isAnnotatedWith(NullMarked.class)) {
                marked.add(type.getPackageName());
            }
        }
        assertThat(marked).isEqualTo(packages);
    }

    private static void check(ArchRule rule) {
        rule.check(HOUSE);
    }
}
