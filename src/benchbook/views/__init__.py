"""What several templates make of results: frames and sections."""
