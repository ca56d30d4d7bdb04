"""Kestrel Electronics, an electronics retailer's support line: the customer support pack.

``offhook_industries.customer_support.pack.build_pack`` makes it; this module stays empty, because the plugin
below it is imported at every start.
"""
