"""Independent computations of figures from captures, against which the Java tests hold the analysis."""
