"""Include the parts of chardet that PyInstaller does not find: modules compiled by mypyc import one whose name contains
a hash, and chardet reads its models of encodings from files."""

from importlib.metadata import files

from PyInstaller.utils.hooks import collect_data_files

hiddenimports = [file.name.partition(".")[0] for file in files("chardet") or () if "__mypyc" in file.name]
datas = collect_data_files("chardet")
