"""Stand-ins for Qt's OpenGL modules in the frozen program: 10 MB that pyqtgraph imports, but uses only to draw with
OpenGL."""

import sys
from types import ModuleType

for name, classes in (("QtOpenGL", ()), ("QtOpenGLWidgets", ("QOpenGLWidget",))):
    module = ModuleType(f"PySide6.{name}")
    module.__dict__.update({each: type(each, (), {}) for each in classes})
    sys.modules[module.__name__] = module
