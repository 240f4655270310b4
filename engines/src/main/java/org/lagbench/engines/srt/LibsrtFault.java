package org.lagbench.engines.srt;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Engine.KnownFault;

/**
 * The faults of libsrt before 1.5.6 by which a peer writes beyond a buffer (CVE-2026-55869) or replaces a key
 * (CVE-2026-55868). Distributions fix older versions, and say so in the changelog of their package.
 */
final class LibsrtFault {
    private static final List<String> FAULTS = List.of("CVE-2026-55868", "CVE-2026-55869");
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");
    private static final int[] FIXED = {1, 5, 6};
    private static final int TIMEOUT_S = 10;

    private LibsrtFault() {}

    /**
     * Returns the fault of the library that a program loads.
     *
     * @param root the directory of the distribution's files
     * @throws LagbenchException if the program does not print a version
     */
    static @Nullable KnownFault of(Path program, Path root) throws LagbenchException {
        try {
            return of(version(program), root.resolve("usr/share/doc"));
        } catch (IOException e) {
            throw ExitCode.UNAVAILABLE.failure(program + " does not start: " + IoErrors.reason(e) + ".", e);
        }
    }

    private static String version(Path program) throws IOException {
        Process process = new ProcessBuilder(program.toString(), "version")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            if (line == null || !process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new IOException("it prints no version");
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** @param documents the directory with those of each package */
    static @Nullable KnownFault of(String version, Path documents) throws IOException {
        if (isFixed(version) || isFixedIn(documents)) {
            return null;
        }
        return new KnownFault(
                "libsrt " + version + ": who has the peer's address can end a run, or run code in it ("
                        + String.join(", ", FAULTS) + ")",
                "Install libsrt 1.5.6 or later, or a package whose changelog names these faults as fixed, as Debian's"
                        + " 1.5.1-1+deb12u2.");
    }

    private static boolean isFixed(String version) {
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.lookingAt()) {
            return false;
        }
        for (int i = 0; i < FIXED.length; i++) {
            int part = Integer.parseInt(matcher.group(i + 1));
            if (part != FIXED[i]) {
                return part > FIXED[i];
            }
        }
        return true;
    }

    private static boolean isFixedIn(Path documents) throws IOException {
        if (!Files.isDirectory(documents)) {
            return false;
        }
        try (DirectoryStream<Path> packages = Files.newDirectoryStream(documents, "libsrt1*")) {
            for (Path each : packages) {
                Path changes = each.resolve("changelog.Debian.gz");
                if (Files.isRegularFile(changes) && namesAll(changes)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean namesAll(Path changes) throws IOException {
        try (InputStream file = Files.newInputStream(changes);
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(file), StandardCharsets.UTF_8))) {
            String text = String.join("\n", lines.lines().toList());
            return FAULTS.stream().allMatch(text::contains);
        }
    }
}
