package org.lagbench.core.model;

/** Settings in words, for people. */
public final class SettingText {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    private SettingText() {}

    /** Returns a setting's name in words: "send-buffer" as "send buffer". */
    public static String name(String setting) {
        return setting.replace('-', ' ');
    }

    /** Returns a buffer's size with its unit, such as "64 KiB", and the values of other settings unchanged. */
    public static String value(String setting, String value) {
        if (!setting.endsWith("buffer") || !value.matches("\\d{1,18}")) {
            return value;
        }
        long bytes = Long.parseLong(value);
        if (bytes >= MIB && bytes % MIB == 0) {
            return bytes / MIB + " MiB";
        }
        return bytes >= KIB && bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
    }
}
