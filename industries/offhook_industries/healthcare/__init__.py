"""Straus Dermatology, a dermatology group's front desk: the healthcare pack.

``offhook_industries.healthcare.pack.build_pack`` makes it; this module stays empty, because the plugin
below it is imported at every start.
"""
