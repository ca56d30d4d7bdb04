"""What every vendor's twin is made of: the reference platform behind a wire, a server with faults, and an
adapter that gives each call a twin of its own.
"""
