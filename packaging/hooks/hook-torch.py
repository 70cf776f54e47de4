"""Choose the parts of PyTorch to include, replacing PyInstaller's own hook.

That hook includes everything: three times as much as the program needs. Here the imports determine the modules, which
are included only compiled, and the libraries are those that the program links to or opens. Other files that torch reads
are listed below.
"""

from pathlib import Path

from PyInstaller.utils.hooks import collect_submodules, get_package_paths

TORCH = Path(get_package_paths("torch")[1])
TESTS = ("test", "backend_with_compiler", "aoti_custom_ops")
"""Parts of the names of libraries that only torch's own tests open."""
SOURCES = ("torch.functional", "torch.nn.functional", "torch.nn.modules.rnn")
"""Modules whose source text torch reads when it is imported; if it is missing, torch prints a warning for each
function."""

hiddenimports = collect_submodules("torch._dynamo.polyfills")  # imported by a list of their names
excludedimports = ["tensorboard", "torch.utils.tensorboard", "torch.utils.benchmark"]
module_collection_mode = {"torch": "pyz", **dict.fromkeys(SOURCES, "pyz+py")}
for _file in TORCH.rglob("*.py"):
    if "install_config_module(" in _file.read_text(encoding="utf-8"):  # reads the source of its module
        module_collection_mode[".".join(["torch", *_file.relative_to(TORCH).with_suffix("").parts])] = "pyz+py"

datas = [(str(file), "torch/_dynamo") for file in (TORCH / "_dynamo").glob("*.json")]
binaries = [
    (str(file), "torch/lib")
    for file in (TORCH / "lib").iterdir()
    if {".so", ".dll", ".dylib"} & set(file.suffixes) and not any(word in file.name for word in TESTS)
]
binaries += [(str(file), "torch/bin") for file in (TORCH / "bin").glob("torch_shm_manager*")]  # torch asks for its path
bindepend_symlink_suppression = ["**/torch/lib/*.so*"]  # torch finds its libraries by their location
warn_on_missing_hiddenimports = False
