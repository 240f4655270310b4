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
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.lagbench.core.failure.Interruption;

/** Which room of the house may know which: the table of the modules, as a test. */
class ArchitectureTest {
    private static final String CORE = "org.lagbench.core..";
    private static final String NATIVE1394 = "org.lagbench.native1394..";
    private static final String PACKETIO = "org.lagbench.packetio..";
    private static final String SENDER = "org.lagbench.sender..";
    private static final String RECEIVER = "org.lagbench.receiver..";
    private static final String ANALYSIS = "org.lagbench.analysis..";
    private static final String REPORT = "org.lagbench.report..";
    private static final String CLI = "org.lagbench.cli..";
    private static final String LAB = "org.lagbench.lab..";
    private static final String TCP = "org.lagbench.packetio.tcp..";
    private static final String UDP = "org.lagbench.packetio.udp..";

    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.lagbench");

    /** Per packet: what allocates or locks in passing has no place here. */
    private static final String[] HOT_PACKAGES = {
        "org.lagbench.core.capture..", "org.lagbench.core.time..", NATIVE1394, PACKETIO
    };

    private static final DescribedPredicate<JavaClass> SOCKETS = describe("sockets", type -> {
        String name = type.getSimpleName();
        return switch (type.getPackageName()) {
            case "java.net" -> !name.startsWith("UR"); // URI and URL are only names
            case "java.nio.channels" -> name.contains("Socket") || name.contains("Datagram");
            default -> false;
        };
    });

    @Test
    void allRoomsWereLookedAt() {
        for (String room :
                List.of("core", "native1394", "packetio", "lab", "sender", "receiver", "analysis", "report", "cli")) {
            assertThat(HOUSE).anyMatch(type -> type.getPackageName().startsWith("org.lagbench." + room));
        }
    }

    @Test
    void coreKnowsNoneOfTheOthersAndNoStatistics() {
        check(noClasses()
                .that()
                .resideInAPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        NATIVE1394,
                        PACKETIO,
                        LAB,
                        SENDER,
                        RECEIVER,
                        ANALYSIS,
                        REPORT,
                        CLI,
                        "org.apache.commons.math3.."));
    }

    @Test
    void native1394KnowsNeitherSocketsNorStatistics() {
        check(noClasses()
                .that()
                .resideInAPackage(NATIVE1394)
                .should()
                .dependOnClassesThat(are(SOCKETS)
                        .or(resideInAnyPackage(
                                TCP,
                                UDP,
                                "org.lagbench.packetio.socket..",
                                "org.lagbench.packetio.linux..",
                                "org.lagbench.core.control..",
                                SENDER,
                                RECEIVER,
                                ANALYSIS,
                                REPORT,
                                CLI,
                                "org.apache.commons.math3.."))));
    }

    @Test
    void labKnowsNothingOfWhatRunsInIt() {
        check(noClasses()
                .that()
                .resideInAPackage(LAB)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        NATIVE1394,
                        PACKETIO,
                        SENDER,
                        RECEIVER,
                        ANALYSIS,
                        REPORT,
                        CLI,
                        "org.lagbench.core.transport..",
                        "org.lagbench.core.control..",
                        "org.lagbench.core.capture..",
                        "org.apache.commons.math3.."));
    }

    @Test
    void packetioKnowsNeitherExperimentsNorStatistics() {
        check(noClasses()
                .that()
                .resideInAPackage(PACKETIO)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.lagbench.core.experiment..",
                        "org.lagbench.core.control..",
                        NATIVE1394,
                        LAB,
                        SENDER,
                        RECEIVER,
                        ANALYSIS,
                        REPORT,
                        CLI,
                        "org.apache.commons.math3.."));
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
    void senderKnowsNeitherReceiverNorAnalysis() {
        check(noClasses()
                .that()
                .resideInAPackage(SENDER)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(RECEIVER, ANALYSIS, REPORT, CLI, NATIVE1394, LAB, TCP, UDP));
    }

    @Test
    void receiverKnowsNeitherSenderNorAnalysis() {
        check(noClasses()
                .that()
                .resideInAPackage(RECEIVER)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SENDER, ANALYSIS, REPORT, CLI, NATIVE1394, LAB, TCP, UDP));
    }

    @Test
    void analysisKnowsNeitherSocketsNorNativeCodeNorTransports() {
        check(noClasses()
                .that()
                .resideInAPackage(ANALYSIS)
                .should()
                .dependOnClassesThat(are(SOCKETS)
                        .or(resideInAnyPackage(
                                NATIVE1394,
                                PACKETIO,
                                SENDER,
                                RECEIVER,
                                REPORT,
                                CLI,
                                "org.lagbench.core.transport..",
                                "org.lagbench.core.control.."))));
    }

    @Test
    void reportComputesNothingAndOpensNoSocket() {
        check(noClasses()
                .that()
                .resideInAPackage(REPORT)
                .should()
                .dependOnClassesThat(are(SOCKETS)
                        .or(resideInAnyPackage(
                                NATIVE1394,
                                PACKETIO,
                                LAB,
                                SENDER,
                                RECEIVER,
                                CLI,
                                "org.lagbench.core.transport..",
                                "org.lagbench.core.control..",
                                "org.apache.commons.math3.."))));
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
                .resideInAPackage(CLI)
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
                .areNotAssignableTo(Interruption.class)
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
