"""What a verb asks of a set: its rows, pairs of cells, the gate, its history."""
