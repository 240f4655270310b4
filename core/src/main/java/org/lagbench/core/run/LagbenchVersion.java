package org.lagbench.core.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The version of lagbench, set by the build. */
public final class LagbenchVersion {
    private LagbenchVersion() {}

    /** Returns the version number, such as "0.1.0". */
    public static String number() {
        try (InputStream resource = LagbenchVersion.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(Objects.requireNonNull(resource, "version.properties"));
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
