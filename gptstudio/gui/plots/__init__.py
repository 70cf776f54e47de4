"""Pictures that are fed by frozen records: a new picture is a record, not a class."""
