"""Offhook benchmarks voice agents on what actually arrives."""
