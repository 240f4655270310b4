"""OWAMP (owping, owampd): one-way delays. The comparison does not run it."""

from lagbench_validation.peers.peer import Peer


class Owamp(Peer):
    name = "OWAMP"

    def missing(self) -> str | None:
        return "not compared: no Debian package has owping and owampd, so that how they are run could not be tested"
