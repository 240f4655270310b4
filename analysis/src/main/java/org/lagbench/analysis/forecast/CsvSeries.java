package org.lagbench.analysis.forecast;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.SeriesColumns.Found;
import org.lagbench.analysis.forecast.SeriesFile.ValueConsumer;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;

/**
 * A series in a text file: fields separated by tabs, semicolons, commas or blanks, whichever of these the first line
 * has, and optionally in double quotes. The first line has the names of the columns unless all its fields are numbers,
 * dates or missing. Empty lines, and lines that begin with #, are skipped.
 */
final class CsvSeries {
    private static final Set<String> MISSING = Set.of("", "nan", "na", "n/a", "null", "none", "-", "–");
    private static final String SEPARATORS = "\t;,";
    private static final char BLANK = ' ';

    private final String file;
    private final BufferedReader reader;
    private final List<String> fields = new ArrayList<>();
    private char separator;
    private long line;

    CsvSeries(String file, InputStream in) {
        this.file = file;
        this.reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    void read(SeriesColumns columns, ValueConsumer consumer) throws LagbenchException, IOException {
        String first = nextLine();
        if (first == null) {
            return;
        }
        first = first.startsWith("\ufeff") ? first.substring(1) : first; // without the byte order mark
        separator = BLANK;
        for (int i = SEPARATORS.length() - 1; i >= 0; i--) {
            separator = first.indexOf(SEPARATORS.charAt(i)) >= 0 ? SEPARATORS.charAt(i) : separator;
        }
        split(first);
        boolean hasNames = !fields.stream()
                .allMatch(field -> isMissing(field) || Double.isFinite(number(field)) || Double.isFinite(date(field)));
        Found found = columns.find(file, hasNames ? fields : Collections.nCopies(fields.size(), ""));
        int columnCount = fields.size();
        double previous = Double.NEGATIVE_INFINITY;
        String next = hasNames ? nextLine() : first;
        for (long count = 1; next != null; count++) {
            split(next);
            if (fields.size() > columnCount) {
                throw failure("the line has " + fields.size() + " fields, but the first line has " + columnCount
                        + ". Write numbers with a decimal point, or put fields that contain the separator in double"
                        + " quotes.");
            }
            double time = found.time() == SeriesColumns.NONE ? count : time(field(found.time()));
            if (time < previous) {
                throw failure("the time is before that of the line above; sort the file by time.");
            }
            previous = time;
            consumer.accept(time, value(field(found.value())));
            next = nextLine();
        }
    }

    private String field(int column) throws LagbenchException {
        if (column >= fields.size()) {
            throw failure("the line has " + fields.size() + " columns; column " + (column + 1) + " is missing.");
        }
        return fields.get(column);
    }

    private double value(String field) throws LagbenchException {
        if (isMissing(field)) {
            return Double.NaN;
        }
        double value = number(field);
        if (!Double.isFinite(value)) {
            throw failure("\"" + field + "\" is not a finite number; leave the field empty for a missing value.");
        }
        return value;
    }

    private double time(String field) throws LagbenchException {
        double time = number(field);
        time = Double.isNaN(time) ? date(field) : time;
        if (!Double.isFinite(time)) {
            throw failure("\"" + field + "\" is not a time; write a number, or a date such as 2026-01-31T12:00:00Z.");
        }
        return time;
    }

    private LagbenchException failure(String reason) {
        return ExitCode.FILES.failure(file + ":" + line + ": " + reason);
    }

    /** Returns the next line with fields; null at the end of the file. */
    private @Nullable String nextLine() throws IOException {
        String next;
        do {
            next = reader.readLine();
            line++;
        } while (next != null && (next.isBlank() || next.startsWith("#")));
        return next;
    }

    private void split(String text) {
        fields.clear();
        if (separator == BLANK) {
            fields.addAll(List.of(text.strip().split("\\s+", -1)));
            return;
        }
        int from = 0;
        boolean isQuoted = false;
        for (int i = 0; i < text.length(); i++) {
            char at = text.charAt(i);
            isQuoted ^= at == '"';
            if (at == separator && !isQuoted) {
                fields.add(unquoted(text.substring(from, i)));
                from = i + 1;
            }
        }
        fields.add(unquoted(text.substring(from)));
    }

    private static String unquoted(String field) {
        String text = field.strip();
        return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1).replace("\"\"", "\"").strip()
                : text;
    }

    private static boolean isMissing(String field) {
        return field.length() <= 4 && MISSING.contains(field.toLowerCase(Locale.ROOT));
    }

    /** Returns a number in digits, else NaN; Java's own parser also accepts suffixes and names. */
    private static double number(String field) {
        if (field.isEmpty() || "0123456789.".indexOf(field.charAt(field.length() - 1)) < 0) {
            return Double.NaN;
        }
        try {
            return Double.parseDouble(field);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** Returns a date in ISO 8601, in UTC unless it has an offset, in s since 1970; NaN if it is not one. */
    private static double date(String field) {
        String text = field.replace(' ', 'T');
        try {
            OffsetDateTime date = text.matches(".*T.*([Zz]|[+-]\\d\\d:?\\d\\d)")
                    ? OffsetDateTime.parse(text)
                    : LocalDateTime.parse(text).atOffset(ZoneOffset.UTC);
            return date.toEpochSecond() + date.getNano() / Units.NS_PER_S;
        } catch (DateTimeParseException e) {
            return Double.NaN;
        }
    }
}
