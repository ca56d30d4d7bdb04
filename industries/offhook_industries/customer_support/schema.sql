-- Kestrel Electronics. Money is whole cents, dates are ISO 8601 text, phones are written 541-555-0171.

CREATE TABLE hours_patterns (
    pattern     TEXT PRIMARY KEY,
    mon_thu     TEXT NOT NULL,
    fri_sat     TEXT NOT NULL,
    sunday      TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE stores (
    store_number  INTEGER PRIMARY KEY,
    name          TEXT NOT NULL,
    street        TEXT NOT NULL,
    city          TEXT NOT NULL COLLATE NOCASE,
    state         TEXT NOT NULL,
    postal_code   TEXT NOT NULL,
    phone         TEXT NOT NULL,
    hours_pattern TEXT NOT NULL REFERENCES hours_patterns (pattern)
);
CREATE INDEX stores_by_city ON stores (city, state);
CREATE INDEX stores_by_zip ON stores (postal_code);

CREATE TABLE departments (
    department TEXT PRIMARY KEY,
    title      TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE store_departments (
    store_number INTEGER NOT NULL REFERENCES stores (store_number),
    department   TEXT NOT NULL REFERENCES departments (department),
    PRIMARY KEY (store_number, department)
) WITHOUT ROWID;

CREATE TABLE customers (
    customer_id             INTEGER PRIMARY KEY,
    full_name               TEXT NOT NULL,
    phone                   TEXT NOT NULL,
    email                   TEXT NOT NULL,
    street                  TEXT NOT NULL,
    city                    TEXT NOT NULL,
    state                   TEXT NOT NULL,
    postal_code             TEXT NOT NULL,
    tier                    TEXT NOT NULL CHECK (tier IN ('standard', 'plus', 'total')),
    auto_renew              INTEGER NOT NULL CHECK (auto_renew IN (0, 1)),
    -- What a full year at the present tier cost this customer: the base of every proration.
    membership_paid_cents   INTEGER NOT NULL CHECK (membership_paid_cents >= 0),
    -- The last paid year. Both stay when a membership is cancelled; NULL where there never was one.
    membership_period_start TEXT,
    membership_period_end   TEXT,
    CHECK (tier != 'standard' OR (auto_renew = 0 AND membership_paid_cents = 0)),
    CHECK (tier = 'standard' OR membership_period_end IS NOT NULL)
);
CREATE INDEX customers_by_phone ON customers (phone);

CREATE TABLE products (
    sku          TEXT PRIMARY KEY,
    title        TEXT NOT NULL,
    kind         TEXT NOT NULL,
    product_class TEXT NOT NULL CHECK (product_class IN ('standard', 'activatable', 'major_appliance', 'special_order')),
    price_cents  INTEGER NOT NULL CHECK (price_cents > 0),
    warranty_months INTEGER NOT NULL,
    recalled     INTEGER NOT NULL CHECK (recalled IN (0, 1)),
    battery_safety_flag INTEGER NOT NULL CHECK (battery_safety_flag IN (0, 1))
) WITHOUT ROWID;

CREATE TABLE orders (
    order_number  TEXT PRIMARY KEY,
    customer_id   INTEGER NOT NULL REFERENCES customers (customer_id),
    store_number  INTEGER REFERENCES stores (store_number),
    seller        TEXT NOT NULL,
    placed_on     TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('processing', 'scheduled', 'shipped', 'delivered', 'picked_up', 'cancelled')),
    delivery_on   TEXT,
    delivery_window TEXT,
    installation  INTEGER NOT NULL CHECK (installation IN (0, 1)),
    haul_away     INTEGER NOT NULL CHECK (haul_away IN (0, 1)),
    postal_code   TEXT NOT NULL,
    state         TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX orders_by_customer ON orders (customer_id, placed_on);

CREATE TABLE order_items (
    order_number TEXT NOT NULL REFERENCES orders (order_number),
    line         INTEGER NOT NULL,
    sku          TEXT NOT NULL REFERENCES products (sku),
    quantity     INTEGER NOT NULL CHECK (quantity > 0),
    unit_cents   INTEGER NOT NULL CHECK (unit_cents >= 0),
    open_box     INTEGER NOT NULL CHECK (open_box IN (0, 1)),
    -- Known to be unsealed: activated, registered, or sold open-box.
    box_opened   INTEGER NOT NULL CHECK (box_opened IN (0, 1)),
    PRIMARY KEY (order_number, line)
) WITHOUT ROWID;

CREATE TABLE payments (
    order_number TEXT PRIMARY KEY REFERENCES orders (order_number),
    method       TEXT NOT NULL CHECK (method IN ('credit', 'debit', 'store_card')),
    card_last4   TEXT NOT NULL CHECK (length(card_last4) = 4),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0)
) WITHOUT ROWID;

CREATE TABLE protection_plans (
    plan_id          TEXT PRIMARY KEY,
    customer_id      INTEGER NOT NULL REFERENCES customers (customer_id),
    order_number     TEXT NOT NULL,
    line             INTEGER NOT NULL,
    starts_on        TEXT NOT NULL,
    ends_on          TEXT NOT NULL,
    deductible_cents INTEGER NOT NULL,
    accidental       INTEGER NOT NULL CHECK (accidental IN (0, 1)),
    FOREIGN KEY (order_number, line) REFERENCES order_items (order_number, line)
) WITHOUT ROWID;
CREATE INDEX protection_plans_by_customer ON protection_plans (customer_id);

CREATE TABLE service_appointments (
    appointment_id TEXT PRIMARY KEY,
    customer_id    INTEGER NOT NULL REFERENCES customers (customer_id),
    store_number   INTEGER REFERENCES stores (store_number),
    kind           TEXT NOT NULL CHECK (kind IN ('bench', 'in_home', 'remote')),
    sku            TEXT NOT NULL REFERENCES products (sku),
    on_day         TEXT NOT NULL,
    window         TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('booked', 'done', 'cancelled')),
    -- What the caller was told it costs.
    cost_cents     INTEGER NOT NULL CHECK (cost_cents >= 0)
) WITHOUT ROWID;
CREATE INDEX service_appointments_by_customer ON service_appointments (customer_id, status);
CREATE INDEX service_appointments_by_store ON service_appointments (store_number, on_day);

CREATE TABLE fees (
    fee          TEXT PRIMARY KEY,
    title        TEXT NOT NULL,
    amount_cents INTEGER,
    percent      INTEGER,
    per          TEXT NOT NULL,
    note         TEXT NOT NULL,
    CHECK ((amount_cents IS NULL) != (percent IS NULL))
) WITHOUT ROWID;

CREATE TABLE policies (
    topic    TEXT PRIMARY KEY,
    title    TEXT NOT NULL,
    in_short TEXT NOT NULL,
    body     TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE kb_articles (
    slug  TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    body  TEXT NOT NULL
) WITHOUT ROWID;

-- What a customer was told before committing. A token serves one customer, one kind of change, once.
CREATE TABLE membership_quotes (
    quote_token  TEXT PRIMARY KEY,
    customer_id  INTEGER NOT NULL REFERENCES customers (customer_id),
    kind         TEXT NOT NULL CHECK (kind IN ('cancel', 'upgrade')),
    from_tier    TEXT NOT NULL,
    to_tier      TEXT NOT NULL,
    months       INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    state        TEXT NOT NULL CHECK (state IN ('open', 'used', 'superseded')),
    created_at   TEXT NOT NULL,
    expires_at   TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX membership_quotes_by_customer ON membership_quotes (customer_id, state);

-- One row for every committed change. amount_cents is refunded on a cancel and charged on an upgrade.
CREATE TABLE membership_changes (
    customer_id  INTEGER NOT NULL REFERENCES customers (customer_id),
    change_no    INTEGER NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('cancel', 'upgrade')),
    from_tier    TEXT NOT NULL,
    to_tier      TEXT NOT NULL,
    months       INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    effective_on TEXT NOT NULL,
    quote_token  TEXT,
    PRIMARY KEY (customer_id, change_no)
) WITHOUT ROWID;

-- What a customer was told of an order before committing. A token serves one customer, one kind of change, one
-- item, once. amount_cents is refunded, fee_cents charged or kept back.
CREATE TABLE order_quotes (
    quote_token  TEXT PRIMARY KEY,
    customer_id  INTEGER NOT NULL REFERENCES customers (customer_id),
    kind         TEXT NOT NULL CHECK (kind IN ('delivery_change', 'price_match', 'return')),
    order_number TEXT NOT NULL,
    line         INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    fee_cents    INTEGER NOT NULL CHECK (fee_cents >= 0),
    -- The new day, the reason of the return, or the competitor.
    detail       TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('open', 'used', 'superseded')),
    created_at   TEXT NOT NULL,
    expires_at   TEXT NOT NULL,
    FOREIGN KEY (order_number, line) REFERENCES order_items (order_number, line)
) WITHOUT ROWID;
CREATE INDEX order_quotes_by_order ON order_quotes (order_number, kind, state);

CREATE TABLE delivery_changes (
    order_number TEXT NOT NULL REFERENCES orders (order_number),
    change_no    INTEGER NOT NULL,
    from_day     TEXT NOT NULL,
    to_day       TEXT NOT NULL,
    fee_cents    INTEGER NOT NULL CHECK (fee_cents >= 0),
    quote_token  TEXT,
    PRIMARY KEY (order_number, change_no)
) WITHOUT ROWID;

-- One row an item that comes back. shipping says how: nothing sent yet, a label by e-mail, a recovery kit.
CREATE TABLE returns (
    rma_number   TEXT PRIMARY KEY,
    order_number TEXT NOT NULL,
    line         INTEGER NOT NULL,
    reason       TEXT NOT NULL CHECK (reason IN ('changed_mind', 'defective', 'damaged_on_arrival', 'wrong_item', 'recall_or_safety')),
    refund_cents INTEGER NOT NULL CHECK (refund_cents >= 0),
    fee_cents    INTEGER NOT NULL CHECK (fee_cents >= 0),
    status       TEXT NOT NULL CHECK (status IN ('open', 'received', 'closed')),
    shipping     TEXT NOT NULL CHECK (shipping IN ('none', 'label', 'recovery_kit')),
    opened_on    TEXT NOT NULL,
    quote_token  TEXT,
    FOREIGN KEY (order_number, line) REFERENCES order_items (order_number, line)
) WITHOUT ROWID;
CREATE UNIQUE INDEX returns_by_item ON returns (order_number, line);

-- Money on its way back, whatever for. Dates are NULL while an item is still awaited.
CREATE TABLE refunds (
    order_number TEXT NOT NULL REFERENCES orders (order_number),
    refund_no    INTEGER NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('return', 'cancelled_order', 'price_match')),
    line         INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    stage        TEXT NOT NULL CHECK (stage IN ('awaiting_item', 'issued', 'posted')),
    posts_from   TEXT,
    posts_by     TEXT,
    PRIMARY KEY (order_number, refund_no),
    CHECK ((stage = 'awaiting_item') = (posts_by IS NULL))
) WITHOUT ROWID;

-- Today's prices elsewhere, as Kestrel's own check finds them.
CREATE TABLE competitor_offers (
    sku         TEXT NOT NULL REFERENCES products (sku),
    competitor  TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    third_party INTEGER NOT NULL CHECK (third_party IN (0, 1)),
    PRIMARY KEY (sku, competitor)
) WITHOUT ROWID;

-- Every message or call that Kestrel and TechCrew made themselves in the last weeks.
CREATE TABLE outbound_contacts (
    contact_no INTEGER PRIMARY KEY,
    phone      TEXT NOT NULL,
    channel    TEXT NOT NULL CHECK (channel IN ('phone_call', 'text_message', 'email', 'letter')),
    sent_on    TEXT NOT NULL,
    purpose    TEXT NOT NULL
);
CREATE INDEX outbound_contacts_by_phone ON outbound_contacts (phone, channel);

CREATE TABLE scam_reports (
    report_no    INTEGER PRIMARY KEY,
    channel      TEXT NOT NULL CHECK (channel IN ('phone_call', 'text_message', 'email', 'pop_up', 'letter')),
    amount_cents INTEGER CHECK (amount_cents >= 0),
    money_sent   INTEGER NOT NULL CHECK (money_sent IN (0, 1)),
    details      TEXT NOT NULL,
    customer_id  INTEGER REFERENCES customers (customer_id),
    created_at   TEXT NOT NULL
);

CREATE TABLE transfers (
    transfer_no INTEGER PRIMARY KEY,
    reason      TEXT NOT NULL,
    summary     TEXT NOT NULL,
    customer_id INTEGER REFERENCES customers (customer_id),
    created_at  TEXT NOT NULL
);

-- The gate of this one call: who was found, whether they are verified, how often verification failed.
CREATE TABLE call_session (
    only_row      INTEGER PRIMARY KEY CHECK (only_row = 1),
    customer_id   INTEGER REFERENCES customers (customer_id),
    verified      INTEGER NOT NULL CHECK (verified IN (0, 1)),
    failures      INTEGER NOT NULL,
    ended         INTEGER NOT NULL CHECK (ended IN (0, 1))
);

-- Who pays for which fault, as it was told on this call: nobody is booked in who has not heard it.
CREATE TABLE coverage_checks (
    order_number TEXT NOT NULL,
    line         INTEGER NOT NULL,
    failure      TEXT NOT NULL,
    payer        TEXT NOT NULL CHECK (payer IN ('manufacturer', 'total', 'plan', 'nobody')),
    repairable   INTEGER NOT NULL CHECK (repairable IN (0, 1)),
    plan_cents   INTEGER NOT NULL CHECK (plan_cents >= 0),
    check_no     INTEGER NOT NULL,
    PRIMARY KEY (order_number, line),
    FOREIGN KEY (order_number, line) REFERENCES order_items (order_number, line)
) WITHOUT ROWID;
