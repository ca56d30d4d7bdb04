"""What Kestrel sells.

One line a product: SKU, class (s standard, a activatable, m major appliance, o special order), dollars,
warranty months, flags (r recalled, b battery safety), kind, title.
"""

from __future__ import annotations

import sqlite3
from typing import Final

import attrs

__all__ = ["Product", "fill_products", "products"]

_CLASSES: Final = {"s": "standard", "a": "activatable", "m": "major_appliance", "o": "special_order"}

_CATALOG: Final = """\
AU-1001 s 349.99 12 - speaker|Aurelian Arc wireless speaker
AU-1002 s 129.99 12 - speaker|Aurelian Pebble portable speaker
AU-1003 s 599.99 24 - speaker|Aurelian Mantel stereo speaker
AU-1004 s 219.99 12 - speaker|Sound Harbor Dockside bookshelf speakers
AU-1010 s 279.99 12 - soundbar|Halo 300 soundbar
AU-1011 s 499.99 12 - soundbar|Halo 500 soundbar with subwoofer
AU-1012 s 899.99 24 - soundbar|Aurelian Meridian soundbar
AU-1020 s 249.99 12 - headphones|Aurelian Hush noise-cancelling headphones
AU-1021 s 179.99 12 - headphones|Tern On-Ear wireless headphones
AU-1022 s 99.99 12 b headphones|Tern Buds wireless earbuds
AU-1023 s 59.99 12 - headphones|Sound Harbor Pier studio headphones
AU-1030 s 449.99 24 - turntable|Sound Harbor Spindle turntable
AU-1031 s 799.99 36 - receiver|Aurelian Nine surround receiver
TV-2001 s 329.99 12 - television|Vantor 43-inch LED television
TV-2002 s 549.99 12 - television|Vantor 55-inch LED television
TV-2003 s 1199.99 12 - television|Vantor 65-inch OLED television
TV-2004 s 1899.99 12 - television|Lumen Gallery 77-inch OLED television
TV-2005 s 699.99 12 - television|Lumen Studio 50-inch QLED television
TV-2010 s 89.99 12 - streaming|Kestrel Perch streaming player
TV-2011 s 149.99 12 - mount|Brackett full-motion wall mount
TV-2012 s 1099.99 24 - projector|Lumen Throw home projector
CO-3001 s 649.99 12 - laptop|Quill 14 laptop
CO-3002 s 1149.99 12 - laptop|Quill 15 Pro laptop
CO-3003 s 1799.99 12 - laptop|Quill 16 Studio laptop
CO-3004 s 399.99 12 - laptop|Harrier 13 student laptop
CO-3005 s 899.99 12 - desktop|Harrier tower desktop
CO-3006 s 1399.99 12 - desktop|Harrier Apex gaming desktop
CO-3010 s 279.99 36 - monitor|Lumen 27-inch monitor
CO-3011 s 549.99 36 - monitor|Lumen 34-inch curved monitor
CO-3020 s 189.99 12 - printer|Pressmark inkjet printer
CO-3021 s 349.99 12 - printer|Pressmark laser printer
CO-3022 s 219.99 24 - networking|Lattice mesh router, two pack
CO-3023 s 129.99 36 - storage|Vault 2 TB portable drive
CO-3024 s 79.99 12 - keyboard|Keystone mechanical keyboard
CO-3025 s 49.99 12 - mouse|Keystone wireless mouse
TB-3101 s 329.99 12 - tablet|Quill Leaf 10 tablet
TB-3102 a 529.99 12 - tablet|Quill Leaf 11 tablet with cellular
PH-4001 a 799.99 12 - phone|Bellwether Nova 8 phone
PH-4002 a 1099.99 12 - phone|Bellwether Nova 8 Max phone
PH-4003 a 449.99 12 - phone|Bellwether Cinder phone
PH-4004 a 199.99 12 - phone|Bellwether Basic flip phone
PH-4005 a 399.99 12 - watch|Bellwether Dial cellular watch
PH-4006 a 149.99 12 - hotspot|Bellwether Beam mobile hotspot
PH-4010 s 49.99 12 b power_bank|Voltra 10K power bank
PH-4011 s 79.99 12 rb power_bank|Voltra 20K power bank
PH-4012 s 29.99 12 - charger|Voltra 45-watt wall charger
PH-4013 s 39.99 12 - case|Bellwether Shell phone case
PH-4014 s 249.99 12 - watch|Tern Track fitness watch
AP-5001 m 1299.99 12 - refrigerator|Coastline 25-cubic-foot refrigerator
AP-5002 m 2199.99 12 - refrigerator|Coastline French-door refrigerator
AP-5003 m 899.99 12 - range|Coastline electric range
AP-5004 m 1149.99 12 - range|Coastline gas range
AP-5005 m 749.99 12 - washer|Coastline front-load washer
AP-5006 m 729.99 12 - dryer|Coastline electric dryer
AP-5007 m 649.99 12 - dishwasher|Coastline quiet dishwasher
AP-5008 m 549.99 12 - freezer|Coastline chest freezer
AP-5009 o 3499.99 24 - range|Coastline Reserve built-in range, made to order
AP-5010 m 349.99 12 - microwave|Coastline over-range microwave
AP-5020 s 119.99 12 - kitchen|Coastline countertop oven
AP-5021 s 249.99 24 - kitchen|Coastline stand mixer
AP-5022 s 179.99 12 - kitchen|Coastline espresso maker
AP-5023 s 89.99 12 r kitchen|Coastline pressure cooker
AP-5024 s 329.99 24 - vacuum|Coastline cordless vacuum
AP-5025 s 399.99 12 b vacuum|Coastline robot vacuum
CA-6001 s 899.99 12 - camera|Ostrea R6 mirrorless camera
CA-6002 s 549.99 12 - camera|Ostrea Compact travel camera
CA-6003 s 699.99 12 b drone|Sagebrush Kite camera drone
CA-6004 s 399.99 12 - camera|Sagebrush Trail action camera
CA-6010 o 2599.99 12 - lens|Ostrea 70-200 lens, ordered to request
HO-7001 s 199.99 12 - smart_home|Lattice video doorbell
HO-7002 s 249.99 24 - smart_home|Lattice learning thermostat
HO-7003 s 129.99 12 - smart_home|Lattice indoor camera, two pack
HO-7004 s 179.99 12 - smart_home|Lattice smart lock
HO-7005 s 59.99 12 - smart_home|Perch Mini smart speaker
GA-8001 s 499.99 12 - console|Vireo game console
GA-8002 s 349.99 12 - console|Vireo Go handheld console
GA-8003 s 69.99 12 - controller|Vireo wireless controller
GA-8004 s 599.99 12 b scooter|Sagebrush Glide electric scooter
GA-8005 s 1299.99 12 b bike|Sagebrush Ridge electric bike
GA-8006 s 159.99 12 - outdoor|Sagebrush GPS handheld
GA-8007 s 229.99 12 - outdoor|Sagebrush camp power station
"""


@attrs.frozen
class Product:
    sku: str
    title: str
    kind: str
    product_class: str
    price_cents: int
    warranty_months: int
    recalled: bool
    battery_safety_flag: bool


def products() -> tuple[Product, ...]:
    """The catalogue in SKU order of its departments."""
    return tuple(_product(line) for line in _CATALOG.splitlines())


def _product(line: str) -> Product:
    head, title = line.split("|")
    sku, letter, price, warranty, flags, kind = head.split()
    cents = int(price.replace(".", ""))
    return Product(sku, title, kind, _CLASSES[letter], cents, int(warranty), "r" in flags, "b" in flags)


def fill_products(db: sqlite3.Connection) -> None:
    db.executemany(
        "INSERT INTO products VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [attrs.astuple(item) for item in products()]
    )
