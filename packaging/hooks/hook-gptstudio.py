"""Modules whose functions are copied as code: their source text goes into the program too."""

module_collection_mode = dict.fromkeys(
    ("gptstudio.gpt.activations", "gptstudio.inference.intervening", "gptstudio.labs.small_gpt"), "pyz+py")
