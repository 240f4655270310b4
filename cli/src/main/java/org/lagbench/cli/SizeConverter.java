package org.lagbench.cli;

import org.lagbench.core.model.Quantities;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a size in bytes, written 65536, 64KiB or 64kB. */
final class SizeConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        try {
            return (int) Quantities.parseBytes(text, 1, Integer.MAX_VALUE);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("\"" + text + "\" is not a size, such as 65536, 64KiB or 64kB.");
        }
    }
}
