package org.lagbench.core.model;

/** The kinds of generated data. A kind and a seed always give the same bytes. */
public enum DataKind implements TextEnum {
    /** English-like words in lines. */
    TEXT,
    /** Machine code and tables. */
    BINARY,
    /** Pages with tags. */
    HTML,
    /** Drawing operators with coordinates. */
    POSTSCRIPT_LIKE,
    /** Mostly compressed streams between short dictionaries. */
    PDF_LIKE,
    /** Entropy-coded segments with byte stuffing. */
    JPEG_LIKE,
    /** Uniform bytes, which do not compress. */
    RANDOM
}
