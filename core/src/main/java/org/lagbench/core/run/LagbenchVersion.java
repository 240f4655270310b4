package org.lagbench.core.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of lagbench, set by the build. */
public final class LagbenchVersion {
    private LagbenchVersion() {}

    /** Returns the version number, such as "0.1.0". */
    public static String number() {
        return property("version.properties", "version");
    }

    /**
     * Returns the commit of the sources and the Java of the build, such as "commit 9f1151222f3a, built with Java
     * 17.0.15". The commit has "+changes" if files differed from it, and is "unknown" without Git. Returns "unknown" if
     * the class path has no jar of {@code cli}, which alone changes with each commit.
     */
    public static String build() {
        return property("/org/lagbench/build.properties", "build");
    }

    private static String property(String file, String key) {
        try (InputStream resource = LagbenchVersion.class.getResourceAsStream(file)) {
            Properties properties = new Properties();
            if (resource != null) {
                properties.load(resource);
            }
            return properties.getProperty(key, "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
