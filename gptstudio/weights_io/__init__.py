"""Import and export of weights: files of others, opened without trusting them, downloads, and files for other programs.
No Qt, nothing printed; torch only where tensors are read.

No file that is opened here may run code, and no memory is allocated before a file has shown that it has the data.
"""
