"""Selection of the files found by PyInstaller that go into the program, and of its libraries that are stripped."""

import re
import sys
from pathlib import PurePosixPath

UNUSED_MODULES = (
    "readline",  # under the GPL
    "tkinter", "_tkinter", "turtle", "idlelib", "lib2to3", "ensurepip", "pip", "setuptools", "distutils", "wheel",
    "IPython", "matplotlib", "scipy", "pandas", "h5py", "cupy", "numba", "OpenGL", "tensorboard", "triton",
    "pytest", "hypothesis", "transformers", "safetensors", "llms_from_scratch", "mypy", "docutils", "sphinx",
    "requests", "urllib3", "jinja2", "numpy.f2py", "numpy.distutils", "hf_xet", "_pytest", "py", "pluggy", "iniconfig",
    "pyqtgraph.examples", "pyqtgraph.opengl", "pyqtgraph.console", "pyqtgraph.canvas", "pyqtgraph.flowchart",
    "PySide6.QtNetwork", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtSql", "PySide6.QtUiTools", "PySide6.QtXml",
    "PySide6.QtDBus", "PySide6.QtDesigner", "PySide6.QtHelp", "PySide6.QtPrintSupport", "PyQt5", "PyQt6", "PySide2",
    "sqlite3", "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets",  # replaced by hooks/no_opengl.py
    "networkx", "torch._inductor.codegen", "torch._inductor.kernel", "torch._inductor.fx_passes",  # for torch.compile
)
"""Modules that the program never imports; other libraries would import them if they are installed."""

LEXERS = re.compile(r"pygments\.lexers\.(?!_mapping$|python$|special$)")
"""Pattern of modules that highlight the source code of other languages, which the program never shows."""

PLUGINS = {
    "platforms": "xcb|wayland|offscreen|windows|cocoa",
    "xcbglintegrations": ".*",
    "wayland-.*": "(?!.*server).*",
    "platforminputcontexts": "compose|ibus",
    "platformthemes": "xdgdesktopportal",
    "iconengines": "svg",
    "imageformats": "svg|jpeg|ico",
    "styles": ".*",
}
"""Patterns of the Qt plugins that the program uses, by folder; ibus and compose are input methods for Chinese on
Linux."""
TRANSLATIONS = ("qtbase_zh_CN.qm",)
"""Translations of Qt, for the buttons of its message boxes."""
NOT_SHIPPED = ("README.md", "gptstudio_zh_CN.ts")
"""Files of resources/ that only developers need."""

HOST = (
    "X11", "X11-xcb", "xcb", "Xau", "Xdmcp", "Xext", "Xrender", "fontconfig", "freetype", "expat", "dbus-1", "systemd",
    "GL", "EGL", "GLX", "OpenGL", "GLdispatch", "drm", "gbm", "wayland-client", "stdc++", "gcc_s", "glib-2.0",
    "gthread-2.0", "gobject-2.0", "gio-2.0", "gmodule-2.0", "pcre2-8", "bsd", "md", "cap", "gcrypt", "gpg-error", "lz4",
    "zstd", "brotlicommon", "brotlidec", "png16", "selinux", "mount", "blkid", "resolv",
)
"""Linux libraries that belong to the desktop: they fit the system's drivers, fonts and services, or fail on other
systems."""


def wanted(name: str) -> bool:
    """Return whether a file is needed; its name is relative to the program's folder, with slashes."""
    path = PurePosixPath(name)
    if "PySide6" in path.parts and "plugins" in path.parts:
        return _wanted_plugin(path)
    if "PySide6" in path.parts and "translations" in path.parts:
        return path.name in TRANSLATIONS
    return "peegee" not in path.parts and not _of_host(path)  # the icon of pyqtgraph's own windows


def stripped(name: str) -> bool:
    """Return whether the symbols of a library are stripped: torch's, Python's and those of small extensions.

    NumPy's libraries have a layout that strip breaks; Qt's and the system's have no symbols.
    """
    path = PurePosixPath(name)
    if ".so" not in path.suffixes:
        return False
    if len(path.parts) == 1:
        return path.name.startswith("libpython")
    return not re.match(r"numpy|PySide6|shiboken6", name)


def _wanted_plugin(path: PurePosixPath) -> bool:
    kinds = (names for folder, names in PLUGINS.items() if re.fullmatch(folder, path.parent.name))
    name = re.sub(r"^(lib)?q?|\..*$", "", path.name)
    return any(re.match(names, name) for names in kinds)


def _of_host(path: PurePosixPath) -> bool:
    if len(path.parts) > 1 or not sys.platform.startswith("linux"):  # a wheel's own libraries stay next to it
        return False
    stem = re.match(r"lib(.+?)\.so", path.name)
    return stem is not None and stem[1] in HOST
