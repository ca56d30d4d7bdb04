-- Halverson & Reed. Money is whole cents, dates are ISO 8601 text, phones are written 541-555-0171.

CREATE TABLE states (
    state    TEXT PRIMARY KEY,
    code     TEXT NOT NULL,
    licensed INTEGER NOT NULL CHECK (licensed IN (0, 1))
) WITHOUT ROWID;

CREATE TABLE practice_areas (
    matter_type TEXT PRIMARY KEY,
    title       TEXT NOT NULL,
    fee_kind    TEXT NOT NULL CHECK (fee_kind IN ('contingency', 'hourly', 'none'))
) WITHOUT ROWID;

-- How long one may file, in general, by kind of matter and state, with the statute it is taken from.
CREATE TABLE filing_limits (
    matter_type TEXT NOT NULL REFERENCES practice_areas (matter_type),
    state       TEXT NOT NULL REFERENCES states (state),
    amount      INTEGER NOT NULL CHECK (amount > 0),
    unit        TEXT NOT NULL CHECK (unit IN ('months', 'days')),
    statute     TEXT NOT NULL,
    PRIMARY KEY (matter_type, state)
) WITHOUT ROWID;

CREATE TABLE attorneys (
    attorney_id TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    role        TEXT NOT NULL,
    office      TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE attorney_states (
    attorney_id TEXT NOT NULL REFERENCES attorneys (attorney_id),
    state       TEXT NOT NULL REFERENCES states (state),
    PRIMARY KEY (attorney_id, state)
) WITHOUT ROWID;

CREATE TABLE attorney_areas (
    attorney_id TEXT NOT NULL REFERENCES attorneys (attorney_id),
    matter_type TEXT NOT NULL REFERENCES practice_areas (matter_type),
    PRIMARY KEY (attorney_id, matter_type)
) WITHOUT ROWID;

-- Who can be left a message: every attorney, and the desks.
CREATE TABLE recipients (
    recipient   TEXT PRIMARY KEY,
    title       TEXT NOT NULL,
    attorney_id TEXT REFERENCES attorneys (attorney_id)
) WITHOUT ROWID;

-- Everybody who has ever been in touch. Several people may share a number.
CREATE TABLE callers (
    caller_id  INTEGER PRIMARY KEY,
    full_name  TEXT NOT NULL,
    phone      TEXT NOT NULL,
    email      TEXT,
    street     TEXT,
    city       TEXT,
    state      TEXT REFERENCES states (state),
    zip        TEXT,
    kind       TEXT NOT NULL CHECK (kind IN ('prospect', 'client', 'professional', 'insurance')),
    source     TEXT NOT NULL CHECK (source IN ('web_form', 'referral', 'phone', 'mail')),
    created_at TEXT NOT NULL
);
CREATE INDEX callers_by_phone ON callers (phone);

CREATE TABLE matters (
    matter_number TEXT PRIMARY KEY CHECK (length(matter_number) = 6),
    caller_id     INTEGER NOT NULL REFERENCES callers (caller_id),
    matter_type   TEXT NOT NULL REFERENCES practice_areas (matter_type),
    state         TEXT NOT NULL REFERENCES states (state),
    attorney_id   TEXT NOT NULL REFERENCES attorneys (attorney_id),
    adverse_party TEXT NOT NULL,
    opened_on     TEXT NOT NULL,
    stage         TEXT NOT NULL,
    next_step     TEXT NOT NULL,
    next_on       TEXT,
    status        TEXT NOT NULL CHECK (status IN ('open', 'closed')),
    -- The client has agreed in the engagement letter that whoever has the matter number may hear the stage.
    status_by_number INTEGER NOT NULL CHECK (status_by_number IN (0, 1))
) WITHOUT ROWID;
CREATE INDEX matters_by_caller ON matters (caller_id);

-- Callers whom another firm represents, in what kind of matter.
CREATE TABLE representations (
    caller_id   INTEGER NOT NULL REFERENCES callers (caller_id),
    matter_type TEXT NOT NULL REFERENCES practice_areas (matter_type),
    firm        TEXT NOT NULL,
    PRIMARY KEY (caller_id, matter_type)
) WITHOUT ROWID;

-- Screenings done before this call, by a person or on an earlier call: all checks passed.
CREATE TABLE screenings (
    caller_id     INTEGER NOT NULL REFERENCES callers (caller_id),
    matter_type   TEXT NOT NULL REFERENCES practice_areas (matter_type),
    state         TEXT NOT NULL REFERENCES states (state),
    adverse_party TEXT NOT NULL,
    incident_date TEXT NOT NULL,
    deadline      TEXT NOT NULL,
    cleared_on    TEXT NOT NULL,
    PRIMARY KEY (caller_id, matter_type)
) WITHOUT ROWID;

-- The conflict list: whom the firm may not act against. ``reason`` is never told to a caller.
CREATE TABLE parties (
    party_no INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    kind     TEXT NOT NULL CHECK (kind IN ('person', 'company')),
    reason   TEXT NOT NULL
);

-- People on the other side of an open matter: when one of them calls, the caller is the conflict.
CREATE TABLE opponents (
    opponent_no   INTEGER PRIMARY KEY,
    name          TEXT NOT NULL,
    matter_number TEXT NOT NULL REFERENCES matters (matter_number)
);

-- How each word of a listed name begins to sound, so that a spoken name is compared with few.
CREATE TABLE name_sounds (
    sound    TEXT NOT NULL,
    list     TEXT NOT NULL CHECK (list IN ('parties', 'opponents')),
    entry_no INTEGER NOT NULL,
    PRIMARY KEY (sound, list, entry_no)
) WITHOUT ROWID;

CREATE TABLE messages (
    message_no  INTEGER PRIMARY KEY,
    recipient   TEXT NOT NULL REFERENCES recipients (recipient),
    full_name   TEXT NOT NULL,
    phone       TEXT NOT NULL,
    message     TEXT NOT NULL,
    callback_by TEXT NOT NULL,
    caller_id   INTEGER REFERENCES callers (caller_id),
    created_at  TEXT NOT NULL
);

CREATE TABLE intakes (
    caller_id     INTEGER NOT NULL REFERENCES callers (caller_id),
    intake_no     INTEGER NOT NULL,
    matter_type   TEXT NOT NULL REFERENCES practice_areas (matter_type),
    state         TEXT NOT NULL REFERENCES states (state),
    incident_date TEXT NOT NULL,
    deadline      TEXT,
    summary       TEXT NOT NULL,
    created_at    TEXT NOT NULL,
    PRIMARY KEY (caller_id, intake_no)
) WITHOUT ROWID;

CREATE TABLE intake_notes (
    note_no    INTEGER PRIMARY KEY,
    caller_id  INTEGER NOT NULL REFERENCES callers (caller_id),
    category   TEXT NOT NULL,
    note       TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE TABLE packets (
    caller_id  INTEGER NOT NULL REFERENCES callers (caller_id),
    packet_no  INTEGER NOT NULL,
    channel    TEXT NOT NULL CHECK (channel IN ('email', 'text', 'mail')),
    sent_to    TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (caller_id, packet_no)
) WITHOUT ROWID;

CREATE TABLE authorizations (
    caller_id        INTEGER NOT NULL REFERENCES callers (caller_id),
    authorization_no INTEGER NOT NULL,
    provider         TEXT NOT NULL,
    sent_to          TEXT NOT NULL,
    created_at       TEXT NOT NULL,
    PRIMARY KEY (caller_id, authorization_no)
) WITHOUT ROWID;

CREATE TABLE evaluation_slots (
    slot_id     TEXT PRIMARY KEY,
    attorney_id TEXT NOT NULL REFERENCES attorneys (attorney_id),
    starts_at   TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('open', 'booked'))
) WITHOUT ROWID;
CREATE INDEX slots_by_attorney ON evaluation_slots (attorney_id, status, starts_at);

CREATE TABLE appointments (
    appointment_no INTEGER PRIMARY KEY,
    caller_id      INTEGER NOT NULL REFERENCES callers (caller_id),
    slot_id        TEXT NOT NULL REFERENCES evaluation_slots (slot_id),
    matter_type    TEXT NOT NULL REFERENCES practice_areas (matter_type),
    state          TEXT NOT NULL REFERENCES states (state),
    fee_cents      INTEGER NOT NULL CHECK (fee_cents >= 0),
    status         TEXT NOT NULL CHECK (status IN ('booked', 'cancelled')),
    cancellation_cents INTEGER,
    hold_token     TEXT,
    created_at     TEXT NOT NULL,
    CHECK ((status = 'cancelled') = (cancellation_cents IS NOT NULL))
);
CREATE INDEX appointments_by_caller ON appointments (caller_id, status);

CREATE TABLE transfers (
    transfer_no INTEGER PRIMARY KEY,
    summary     TEXT NOT NULL,
    caller_id   INTEGER REFERENCES callers (caller_id),
    created_at  TEXT NOT NULL
);

-- What a caller was told before a booking. A token serves one caller and one slot, once.
CREATE TABLE evaluation_holds (
    token       TEXT PRIMARY KEY,
    caller_id   INTEGER NOT NULL REFERENCES callers (caller_id),
    slot_id     TEXT NOT NULL REFERENCES evaluation_slots (slot_id),
    matter_type TEXT NOT NULL REFERENCES practice_areas (matter_type),
    state       TEXT NOT NULL REFERENCES states (state),
    fee_cents   INTEGER NOT NULL CHECK (fee_cents >= 0),
    status      TEXT NOT NULL CHECK (status IN ('open', 'used', 'superseded')),
    expires_at  TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE cancellation_holds (
    token          TEXT PRIMARY KEY,
    caller_id      INTEGER NOT NULL REFERENCES callers (caller_id),
    appointment_no INTEGER NOT NULL REFERENCES appointments (appointment_no),
    fee_cents      INTEGER NOT NULL CHECK (fee_cents >= 0),
    status         TEXT NOT NULL CHECK (status IN ('open', 'used', 'superseded')),
    expires_at     TEXT NOT NULL
) WITHOUT ROWID;

-- The gates of this one call: whose record is open, and what the conflict check has said.
CREATE TABLE call_session (
    only_row  INTEGER PRIMARY KEY CHECK (only_row = 1),
    caller_id INTEGER,
    conflict  TEXT NOT NULL CHECK (conflict IN ('unchecked', 'clear', 'found')),
    ended     INTEGER NOT NULL CHECK (ended IN (0, 1))
);

-- What else was checked on this call: kinds of matter ('area'), states ('state'), deadlines ('deadline'), each
-- with whether the answer allows going on.
CREATE TABLE call_checks (
    kind          TEXT NOT NULL CHECK (kind IN ('area', 'state', 'deadline')),
    matter_type   TEXT NOT NULL,
    state         TEXT NOT NULL,
    incident_date TEXT NOT NULL,
    ok            INTEGER NOT NULL CHECK (ok IN (0, 1)),
    PRIMARY KEY (kind, matter_type, state, incident_date)
) WITHOUT ROWID;

-- Slots that were offered on this call, and for what.
CREATE TABLE call_offers (
    slot_id     TEXT PRIMARY KEY,
    matter_type TEXT NOT NULL,
    state       TEXT NOT NULL
) WITHOUT ROWID;
