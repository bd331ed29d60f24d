"""A folder per template: what its notebook alone calls; `common`: what several call."""
