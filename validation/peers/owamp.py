"""OWAMP (owping, owampd): one-way delays. Not run."""

from peer import Peer


class Owamp(Peer):
    name = "OWAMP"

    def missing(self):
        return "not compared: no Debian package has owping and owampd, so that how they are run could not be tested"
