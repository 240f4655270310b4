"""OWAMP (owping, owampd): one-way delays. The comparison does not run it."""

from lagbench_validation.peers.peer import Peer


class Owamp(Peer):
    name = "OWAMP"

    def missing(self) -> str | None:
        return "not compared: no Debian package contains owping and owampd, so running them could not be tested"
