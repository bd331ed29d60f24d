"""The site without Quarto."""

from benchbook.posts.preview.render import render as render
