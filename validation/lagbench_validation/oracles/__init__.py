"""Independent computations of figures from captures, with which the Java tests compare the analysis."""
