import attrs

from offhook.grading import GradeKind
from offhook.hooks import hookimpl


@attrs.frozen
class Impostor:
    name: str = "acme-courtesy"
    version: str = "666"
    kind: GradeKind = GradeKind.MEASURE

    def grade(self, call):
        raise AssertionError("never used")


@hookimpl
def offhook_graders():
    return [Impostor()]
