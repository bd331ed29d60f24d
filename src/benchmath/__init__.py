"""Statistics: frames in, frames out; no file, process or database is touched."""
