package org.lagbench.cli;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.TextEnum;

/**
 * The result of one check.
 *
 * @param subject what was checked, a few words
 * @param found what was found
 * @param advice how to fix it; null if the verdict is OK
 */
record Finding(String subject, Verdict verdict, String found, @Nullable String advice) {

    /** Whether measurements are possible. */
    enum Verdict implements TextEnum {
        /** All measurements are possible without restriction. */
        OK,
        /** Some measurements are impossible or less accurate. */
        WARN,
        /** A transport cannot be measured. */
        MISSING
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

    /** Returns a warning with the advice unless it is fine. */
    static Finding check(boolean isFine, String subject, String found, String advice) {
        return isFine ? ok(subject, found) : warn(subject, found, advice);
    }
}
