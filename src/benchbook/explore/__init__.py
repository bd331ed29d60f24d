"""What the page Explore reads: published evidence as JSON, judged by the library."""
