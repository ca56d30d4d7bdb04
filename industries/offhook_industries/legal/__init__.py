"""Halverson & Reed: a plaintiff-side law firm's intake and client line."""
