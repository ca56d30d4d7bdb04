"""Kestrel Electronics, an electronics retailer's support line: the customer support pack.

``offhook_industries.customer_support.pack.build_pack`` makes it; importing the package alone reads nothing.
"""
