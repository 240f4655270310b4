/** The times of compressed transfers, and the models that predict them. */
@NullMarked
package org.lagbench.analysis.compression;

import org.jspecify.annotations.NullMarked;
