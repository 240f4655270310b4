package org.lagbench.report.plot;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The font of all figures: the first that this machine has of some that are alike in width and in what they can write.
 */
public final class Typeface implements TextMeasure {
    /** Liberation Sans, Arial, Helvetica and Nimbus Sans are equally wide, so that one may stand in for the other. */
    private static final List<String> PREFERRED =
            List.of("Liberation Sans", "Arial", "Helvetica", "Nimbus Sans", "DejaVu Sans");

    private static final String ANY = "SansSerif";

    private final String family;
    private final Font regular;
    private final Font bold;
    private final FontRenderContext exact = new FontRenderContext(null, true, true);

    private Typeface(String family) {
        this.family = family;
        this.regular = new Font(family, Font.PLAIN, 1);
        this.bold = new Font(family, Font.BOLD, 1);
    }

    /**
     * Finds the font.
     *
     * @throws LagbenchException with {@link ExitCode#UNAVAILABLE} if this machine has none, or nothing to draw with
     */
    public static Typeface load() throws LagbenchException {
        if (System.getProperty("java.awt.headless") == null) {
            System.setProperty("java.awt.headless", "true"); // a display is neither needed nor looked for
        }
        try {
            Typeface typeface = new Typeface(PREFERRED.stream()
                    .filter(name ->
                            new Font(name, Font.PLAIN, 1).getFamily(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElse(ANY));
            typeface.width("µ", TextStyle.LABEL);
            return typeface;
        } catch (LinkageError | InternalError | RuntimeException e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "This machine has no fonts to write figures with, or its Java cannot draw. Install fontconfig and a"
                            + " font: apt-get install fontconfig fonts-liberation",
                    e);
        }
    }

    /** The font's name. */
    public String family() {
        return family;
    }

    @Override
    public double width(String text, TextStyle style) {
        return font(style).getStringBounds(text, exact).getWidth();
    }

    Font font(TextStyle style) {
        return (style.bold() ? bold : regular).deriveFont((float) style.size());
    }

    /** The font by name, then those that may stand in for it, in the form of CSS. */
    String cssFamilies() {
        List<String> names = new ArrayList<>();
        if (!family.equals(ANY)) {
            names.add(family);
        }
        PREFERRED.stream().filter(name -> !name.equals(family)).forEach(names::add);
        names.replaceAll(name -> name.contains(" ") ? "'" + name + "'" : name);
        return String.join(", ", names) + ", sans-serif";
    }
}
