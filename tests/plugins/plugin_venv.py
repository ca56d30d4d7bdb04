"""A virtual environment for plugins that are installed as a user installs them, without a network.

It sees what this environment has (offhook, pytest, hatchling) and is itself empty, so that plugins installed
into it never get into anybody else's tests.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import attrs

__all__ = ["PluginVenv"]

_TOOLS = {
    "offhook": "from offhook.cli import main; main()",
    "pip": "from pip._internal.cli.main import main; sys.exit(main())",
    "pytest": "import pytest; sys.exit(pytest.main())",
}


@attrs.frozen
class PluginVenv:
    """Its own ``offhook``, ``pip``, ``pytest`` and ``python`` come first on the path of commands."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> PluginVenv:
        venv.create(folder, with_pip=False, symlinks=True)
        made = cls(folder)
        site = next(folder.glob("lib/python*/site-packages"))
        ours = sysconfig.get_path("purelib")
        (site / "_shared.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
        for name, code in _TOOLS.items():
            script = made.bin / name
            script.write_text(f"#!{made.bin / 'python'}\nimport sys\n{code}\n")
            script.chmod(0o755)
        return made

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    def run(self, command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """One line of a shell, with its output and errors in one text, as a terminal shows them."""
        return subprocess.run(
            command,
            shell=True,
            executable="/bin/bash",
            cwd=cwd,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not re.match("PYTHON|PYTEST|PIP_", name)}
        return {
            **kept,
            "PATH": f"{self.bin}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "VIRTUAL_ENV": str(self.folder),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_INDEX": "1",
            # without isolation a plugin is built with the hatchling that is here
            "PIP_NO_BUILD_ISOLATION": "0",
            "COLUMNS": "100",
        }
