package org.lagbench.report.page;

/** Text of a page. */
public final class Prose {
    private Prose() {}

    /** Returns a text whose lines never end between a number and its unit, or between a sign and its number. */
    public static String unbroken(String text) {
        return text.replaceAll("(?<=\\d) (?=[\\p{L}%=])|(?<=[±<>≤≥=]) (?=[\\p{L}\\d])|(?<= n) (?==)", "\u00A0");
    }
}
