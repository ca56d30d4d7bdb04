"""Meeting drills, one module each, and the recruits that prove their marks."""
