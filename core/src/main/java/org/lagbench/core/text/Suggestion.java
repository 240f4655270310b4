package org.lagbench.core.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that a misspelled one probably means. */
public final class Suggestion {
    private static final int LONGEST_COMPARED = 64;

    private Suggestion() {}

    /** Returns the known name that needs the fewest changes, if that is at most a third of its characters. */
    public static Optional<String> of(String written, Collection<String> known) {
        if (written.length() > LONGEST_COMPARED) {
            return Optional.empty();
        }
        String nearest = null;
        int min = Integer.MAX_VALUE;
        for (String name : known) {
            int changes = changes(written.toLowerCase(Locale.ROOT), name);
            if (changes < min && changes <= Math.max(2, name.length() / 3) && changes < name.length()) {
                nearest = name;
                min = changes;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** Returns the known names that need the fewest changes, the nearest first. */
    public static List<String> nearest(String written, Collection<String> known, int count) {
        String compared = written.substring(0, Math.min(written.length(), LONGEST_COMPARED))
                .toLowerCase(Locale.ROOT);
        return known.stream()
                .sorted(Comparator.comparingInt(name -> changes(compared, name.toLowerCase(Locale.ROOT))))
                .limit(count)
                .toList();
    }

    /** Returns "did you mean tcp?", or the list of known names. */
    public static String hint(String written, Collection<String> known) {
        return of(written, known)
                .map(name -> "did you mean " + name + "?")
                .orElseGet(() -> "there are " + String.join(", ", known) + ".");
    }

    /** Returns the number of insertions, deletions, substitutions and swaps (optimal string alignment distance). */
    private static int changes(String a, String b) {
        int[][] distance = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                distance[i][j] = i == 0 || j == 0 ? i + j : distanceAt(a, b, i, j, distance);
            }
        }
        return distance[a.length()][b.length()];
    }

    private static int distanceAt(String a, String b, int i, int j, int[][] distance) {
        int substitution = distance[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int min = Math.min(substitution, Math.min(distance[i - 1][j], distance[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(min, distance[i - 2][j - 2] + 1) : min;
    }
}
