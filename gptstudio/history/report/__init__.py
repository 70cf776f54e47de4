"""Report on a run: one HTML file that opens anywhere, without network and without scripts. Imports no torch and no Qt.

``reading`` reads the run, ``sections`` makes the parts of the page, ``writing`` writes the file. A section is a
function that takes the run and yields parts of the page, or nothing.
"""
