"""Parsers of what other people's tools print: text in, frozen values out."""
