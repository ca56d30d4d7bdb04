"""Acme's additions to offhook."""
