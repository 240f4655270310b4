/** The codecs of chunks: the JDK's zlib, zstd-jni, lz4-java and snappy-java. */
@NullMarked
package org.lagbench.compression.codec;

import org.jspecify.annotations.NullMarked;
