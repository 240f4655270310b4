package org.lagbench.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The base knows no extension, none knows another, and lists of services name all that they bring. */
@Tag("one-java")
class ExtensionsTest {
    @Test
    void areUnknownToBase() {
        assertDoNotUse(DescribedPredicate.not(resideInAnyPackage(Extensions.packages())), Extensions.packages());
    }

    @Test
    void doNotUseEachOther() {
        for (String extension : Extensions.packages()) {
            assertDoNotUse(
                    resideInAnyPackage(extension),
                    Stream.of(Extensions.packages())
                            .filter(other -> !other.equals(extension))
                            .toArray(String[]::new));
        }
    }

    private static void assertDoNotUse(DescribedPredicate<JavaClass> users, String... packages) {
        noClasses()
                .that(users)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .check(ArchitectureTest.CLASSES);
    }

    @Test
    void areListedAsServicesAsThoseOfBase() throws Exception {
        List<URL> classes = new ArrayList<>();
        for (Path extension : Extensions.folders()) {
            classes.add(Extensions.classes(extension).toUri().toURL());
        }
        ClassLoader base = ExtensionsTest.class.getClassLoader();
        try (URLClassLoader withExtensions = new URLClassLoader(classes.toArray(URL[]::new), base)) {
            for (Class<?> service : ArchitectureTest.SERVICES) {
                assertThat(ServiceLoader.load(service, withExtensions).stream()
                                .map(provider -> provider.type().getName()))
                        .containsExactlyInAnyOrderElementsOf(ArchitectureTest.CLASSES.stream()
                                .filter(type -> ArchitectureTest.isImplementation(type, service))
                                .map(JavaClass::getName)
                                .toList());
            }
        }
    }
}
