package org.lagbench.cli.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of lagbench, set by the build. */
public final class Version implements IVersionProvider {
    /** Returns the version number, such as "0.1.0". */
    public static String number() {
        try (InputStream resource = Version.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(Objects.requireNonNull(resource, "version.properties"));
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {"lagbench " + number()};
    }
}
