"""The command line: flags made from the specs, and one match over events. Never imports Qt."""
