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
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.analysis.summary.PooledRuns;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.report.chart.ChartKind;
import org.lagbench.report.chart.ChartKinds;
import org.lagbench.report.chart.ReportCharts;
import org.lagbench.report.export.ExportFormat;
import org.lagbench.report.export.Exports;
import org.lagbench.report.table.View;
import org.lagbench.report.table.Views;

/** The allowed dependencies between the modules. */
@Tag("one-java")
class ArchitectureTest {
    private static final String TCP = "org.lagbench.packetio.tcp..";
    private static final String UDP = "org.lagbench.packetio.udp..";
    private static final String STATISTICS = "org.apache.commons.math3..";

    /**
     * A module.
     *
     * @param name its name
     * @param dependencies modules that its classes may use
     * @param opensSockets whether its classes may use sockets
     * @param forbidden packages or classes of those modules, or of libraries, that its classes must not use
     */
    record ModuleRules(String name, List<String> dependencies, boolean opensSockets, List<String> forbidden) {
        String packages() {
            return "org.lagbench." + name + "..";
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<ModuleRules> MODULES = List.of(
            new ModuleRules("core", List.of(), true, List.of(STATISTICS)),
            new ModuleRules("control", List.of("core"), true, List.of(STATISTICS)),
            new ModuleRules("experiment", List.of("core"), false, List.of(STATISTICS)),
            new ModuleRules("commandline", List.of("control", "core", "experiment"), false, List.of(STATISTICS)),
            new ModuleRules("packetio", List.of("core"), true, List.of(STATISTICS)),
            new ModuleRules(
                    "native1394",
                    List.of("core", "packetio"),
                    false,
                    List.of(TCP, UDP, "org.lagbench.packetio.socket..", "org.lagbench.packetio.linux..", STATISTICS)),
            new ModuleRules("compression", List.of("core", "packetio"), true, List.of(TCP, UDP, STATISTICS)),
            new ModuleRules(
                    "engines",
                    List.of("core", "packetio"),
                    true,
                    List.of(TCP, UDP, "org.lagbench.packetio.linux..", STATISTICS)),
            new ModuleRules(
                    "lab",
                    List.of("core", "experiment"),
                    true,
                    List.of(
                            "org.lagbench.core.model.Transport",
                            "org.lagbench.core.model.Transports",
                            "org.lagbench.core.run.Engine",
                            "org.lagbench.core.run.Engines",
                            "org.lagbench.core.capture..",
                            STATISTICS)),
            new ModuleRules(
                    "sender",
                    List.of("commandline", "control", "core", "experiment", "packetio"),
                    true,
                    List.of(TCP, UDP)),
            new ModuleRules("receiver", List.of("commandline", "control", "core", "packetio"), true, List.of(TCP, UDP)),
            new ModuleRules("analysis", List.of("core", "experiment"), false, List.of()),
            new ModuleRules(
                    "web",
                    List.of("core", "analysis", "report"),
                    true,
                    List.of("org.lagbench.core.model..", STATISTICS)),
            new ModuleRules("report", List.of("core", "analysis"), false, List.of(STATISTICS)),
            new ModuleRules(
                    "runner",
                    List.of(
                            "analysis",
                            "control",
                            "core",
                            "experiment",
                            "lab",
                            "native1394",
                            "packetio",
                            "report",
                            "sender",
                            "web"),
                    true,
                    List.of(TCP, UDP, "org.lagbench.core.capture..", STATISTICS)),
            new ModuleRules(
                    "cli",
                    List.of(
                            "analysis",
                            "commandline",
                            "compression",
                            "control",
                            "core",
                            "experiment",
                            "lab",
                            "native1394",
                            "packetio",
                            "report",
                            "runner",
                            "web"),
                    true,
                    List.of(TCP, UDP, "org.lagbench.core.capture..", STATISTICS)));

    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar")) // fixtures of other rooms
            .importLocations(Extensions.locations());

    /** Packages of the hot path. */
    private static final String[] HOT_PACKAGES = {
        "org.lagbench.core.capture..",
        "org.lagbench.core.clock..",
        "org.lagbench.compression..",
        "org.lagbench.engines..",
        "org.lagbench.native1394..",
        "org.lagbench.packetio.."
    };

    static final List<Class<?>> SERVICES =
            List.of(View.class, ChartKind.Source.class, ExportFormat.class, MetricGroup.Source.class, Subcommand.class);

    /** Packages of features that a base without them would not have. */
    private static final String[] FEATURES = {
        "org.lagbench.analysis.capacity..",
        "org.lagbench.analysis.cause..",
        "org.lagbench.analysis.forecast..",
        "org.lagbench.analysis.matrix..",
        "org.lagbench.analysis.media..",
        "org.lagbench.analysis.transfer..",
        "org.lagbench.analysis.tune..",
        "org.lagbench.compression..",
        "org.lagbench.runner.capacity..",
        "org.lagbench.runner.monitor.."
    };

    private static final DescribedPredicate<JavaClass> SOCKETS = describe("sockets", type -> {
        String name = type.getSimpleName();
        return switch (type.getPackageName()) {
            case "java.net" -> !name.startsWith("UR"); // URI and URL open no socket by themselves
            case "java.nio.channels" -> name.contains("Socket") || name.contains("Datagram");
            default -> false;
        };
    });

    static List<ModuleRules> modules() {
        return MODULES;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void modulesDependOnlyAsTheTableAllows(ModuleRules module) {
        assertThat(CLASSES)
                .anyMatch(type -> resideInAnyPackage(module.packages()).test(type));
        String[] forbidden = Stream.concat(
                        MODULES.stream()
                                .filter(other -> !other.equals(module)
                                        && !module.dependencies().contains(other.name()))
                                .map(ModuleRules::packages),
                        module.forbidden().stream())
                .toArray(String[]::new);
        DescribedPredicate<JavaClass> excluded = resideInAnyPackage(forbidden)
                .or(describe("a forbidden class", type -> module.forbidden().contains(type.getFullName())));
        check(noClasses()
                .that()
                .resideInAPackage(module.packages())
                .should()
                .dependOnClassesThat(module.opensSockets() ? excluded : excluded.or(are(SOCKETS))));
    }

    @Test
    void parsesOptionsOnlyInPrograms() {
        check(noClasses()
                .that(DescribedPredicate.not(resideInAnyPackage(Extensions.packages())))
                .and()
                .resideOutsideOfPackages(
                        "org.lagbench.cli..",
                        "org.lagbench.commandline..",
                        "org.lagbench.sender..",
                        "org.lagbench.receiver..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("picocli..", "org.lagbench.commandline.."));
    }

    @Test
    void keepsTransportsIndependent() {
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

    /** The engines of other interfaces share only the package of messages. */
    @Test
    void keepsInterfacesIndependent() {
        check(slices().matching("org.lagbench.engines.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(
                        DescribedPredicate.alwaysTrue(), resideInAnyPackage("org.lagbench.engines.message..")));
        check(noClasses()
                .that()
                .resideOutsideOfPackage("org.lagbench.engines..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.lagbench.engines.."));
    }

    @Test
    void accessesTransportsOnlyThroughRegistry() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(TCP, UDP)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(TCP, UDP));
    }

    /** Features add views, charts, exports and commands by lines in lists of services, which these classes read. */
    @Test
    void namesNoFeatureWhereServicesAreFound() {
        check(noClasses()
                .that()
                .belongToAnyOf(
                        View.class,
                        Views.class,
                        MetricGroup.class,
                        MetricGroups.class,
                        PooledRuns.class,
                        ChartKind.class,
                        ChartKinds.class,
                        ReportCharts.class,
                        ExportFormat.class,
                        Exports.class,
                        Lagbench.class,
                        Subcommands.class)
                .should()
                .dependOnClassesThat(resideInAnyPackage(FEATURES).or(describe("a service", type -> SERVICES.stream()
                        .anyMatch(service -> isImplementation(type, service))))));
    }

    /** Returns whether a type can be a service; of commands, not those that are below another one. */
    static boolean isImplementation(JavaClass type, Class<?> service) {
        boolean isListed = service != Subcommand.class || type.isAnnotatedWith(Listed.class);
        return isListed && type.isAssignableTo(service) && !type.getModifiers().contains(JavaModifier.ABSTRACT);
    }

    @Test
    void drawsOnlyInPlotPackage() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("org.lagbench.report.chart..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.awt..", "javax.imageio..", "javax.swing.."));
    }

    @Test
    void cliAndRunnerDoNotHandlePackets() {
        check(noClasses()
                .that()
                .resideInAnyPackage("org.lagbench.cli..", "org.lagbench.runner..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("org\\.lagbench\\.packetio\\.(transport|tcp|udp|engine|nativeengine)\\..*"
                        + "|org\\.lagbench\\.packetio\\.linux\\.(?!LinuxTerminal|HiddenLine).*"
                        + "|org\\.lagbench\\.core\\.capture\\..*"
                        + "|org\\.lagbench\\.control\\.(ControlMessage|Handshake|FileExchange).*"
                        + "|org\\.lagbench\\.native1394\\.Raw1394.*"
                        + "|org\\.lagbench\\.(receiver|sender\\.(?!ProbeSender)).*"
                        + "|org\\.apache\\.commons\\.math3\\..*"));
    }

    @Test
    void doesNotLogOnHotPath() {
        check(noClasses()
                .that()
                .resideInAnyPackage(HOT_PACKAGES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.slf4j.."));
    }

    @Test
    void doesNotUseJavaUtilLogging() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("org.lagbench.engines.grpc..") // silences the logger of gRPC
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging.."));
    }

    @Test
    void exitsOnlyFromMainClasses() {
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

    /** A wait needs what ends it: a condition, a selector, the end of a process. Only the pacers wait for a time. */
    @Test
    void doesNotSleep() {
        check(noClasses()
                .should()
                .callMethodWhere(describe(
                        "the target is a method sleep of the JDK",
                        call -> call.getTargetOwner().getPackageName().startsWith("java.")
                                && call.getName().equals("sleep"))));
    }

    @Test
    void hasNoPackageCycles() {
        check(slices().matching("org.lagbench.(*).(*)..").should().beFreeOfCycles());
    }

    @Test
    void marksEveryPackageNullMarked() {
        Set<String> packages = new TreeSet<>();
        Set<String> marked = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            packages.add(type.getPackageName());
            if (type.getSimpleName().equals("package-info") && type.isAnnotatedWith(NullMarked.class)) {
                marked.add(type.getPackageName());
            }
        }
        assertThat(marked).isEqualTo(packages);
    }

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }
}
