package org.lagbench.report.chart;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** The font of all charts. */
public final class Typeface {
    /** The fonts in order of preference. The first four are equally wide, so each can replace another. */
    private static final List<String> FAMILIES =
            List.of("Liberation Sans", "Arial", "Helvetica", "Nimbus Sans", "DejaVu Sans");

    private final String family;
    private final FontRenderContext exact = new FontRenderContext(null, true, true);

    private Typeface(String family) {
        this.family = family;
    }

    /**
     * Returns the first installed font.
     *
     * @throws LagbenchException with {@link ExitCode#UNAVAILABLE} if this machine has no font or cannot draw
     */
    public static Typeface load() throws LagbenchException {
        if (System.getProperty("java.awt.headless") == null) {
            System.setProperty("java.awt.headless", "true"); // no display is needed
        }
        try {
            Typeface typeface = new Typeface(FAMILIES.stream()
                    .filter(name ->
                            new Font(name, Font.PLAIN, 1).getFamily(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElse(Font.SANS_SERIF));
            typeface.width(TextStyle.LABEL, "µ");
            return typeface;
        } catch (LinkageError | InternalError | RuntimeException e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "This machine has no fonts for charts, or its Java cannot draw. Install fontconfig and a"
                            + " font: apt-get install fontconfig fonts-liberation libharfbuzz0b",
                    e);
        }
    }

    /** Returns the name of the font. */
    public String family() {
        return family;
    }

    /** Returns the width of a text in points. */
    double width(TextStyle style, String text) {
        return font(style).getStringBounds(text, exact).getWidth();
    }

    Font font(TextStyle style) {
        return new Font(family, style.bold() ? Font.BOLD : Font.PLAIN, 1).deriveFont((float) style.size());
    }

    /** Returns the font's name and its replacements as CSS writes them. */
    String cssFamilies() {
        return Stream.concat(Stream.of(family), FAMILIES.stream())
                .filter(name -> !name.equals(Font.SANS_SERIF))
                .distinct()
                .map(name -> name.contains(" ") ? "'" + name + "'" : name)
                .collect(Collectors.joining(", ", "", ", sans-serif"));
    }
}
