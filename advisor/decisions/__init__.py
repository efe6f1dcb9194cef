"""What a plan decides, kind by kind: one record each, which compare, explain and search work on."""
