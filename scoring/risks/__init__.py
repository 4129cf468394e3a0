"""The risk track: six ways in which a memory makes an agent act wrongly, scored from the log."""
