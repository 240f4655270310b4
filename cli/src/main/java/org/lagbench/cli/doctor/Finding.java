package org.lagbench.cli.doctor;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing looked at.
 *
 * @param subject what was looked at, a few words
 * @param verdict whether it is as it should be
 * @param found what was found
 * @param advice what to do about it; null if there is nothing to do
 */
public record Finding(String subject, Verdict verdict, String found, @Nullable String advice) {

    /** Whether something is as it should be. */
    public enum Verdict {
        /** As it should be. */
        OK,
        /** lagbench runs, but not all of it, or not as well as it could. */
        WARN,
        /** Not even TCP and UDP can be measured. */
        MISSING;

        /** The word in the doctor's report. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding ok(String subject, String found) {
        return new Finding(subject, Verdict.OK, found, null);
    }

    static Finding warn(String subject, String found, String advice) {
        return new Finding(subject, Verdict.WARN, found, advice);
    }

    static Finding missing(String subject, String found, String advice) {
        return new Finding(subject, Verdict.MISSING, found, advice);
    }
}
