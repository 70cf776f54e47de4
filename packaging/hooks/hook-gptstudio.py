"""Include the source text of modules whose functions are copied as code."""

module_collection_mode = dict.fromkeys(
    ("gptstudio.gpt.activations", "gptstudio.inference.intervening", "gptstudio.labs.small_gpt"), "pyz+py")
