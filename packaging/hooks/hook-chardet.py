"""chardet is compiled by mypyc: its modules import one with a name of numbers that PyInstaller does not see, and read
the models of encodings from files."""

from importlib.metadata import files

from PyInstaller.utils.hooks import collect_data_files

hiddenimports = [file.name.partition(".")[0] for file in files("chardet") or () if "__mypyc" in file.name]
datas = collect_data_files("chardet")
