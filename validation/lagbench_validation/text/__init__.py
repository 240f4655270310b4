"""Checks of what people read: the language, the links and the commands of the documentation."""
