"""The command line: flags made from the specs, and events shown as text or JSON. Never imports Qt."""
