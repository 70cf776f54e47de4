"""Report on a run: one HTML file that opens anywhere, without network and without scripts. No torch, no Qt.

``reading`` reads the run, ``sections`` lists what the page says about it, ``writing`` writes the file. A section is a
function of the run that returns parts of the page, and none if there is nothing to say.
"""
