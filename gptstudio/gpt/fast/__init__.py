"""The fast path: the same functions as :mod:`gptstudio.gpt.model`, computed faster."""
