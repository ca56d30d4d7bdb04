-- Straus Dermatology. Money is whole cents, days and times are ISO 8601 text, phones are written 212-555-0199.

CREATE TABLE hours_patterns (
    pattern     TEXT PRIMARY KEY,
    weekdays    TEXT NOT NULL,
    saturday    TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE locations (
    location_id     TEXT PRIMARY KEY,
    -- Travelling order within a region: a small difference is a short way.
    place_no        INTEGER NOT NULL UNIQUE,
    name            TEXT NOT NULL UNIQUE,
    region          TEXT NOT NULL,
    street          TEXT NOT NULL,
    floor           TEXT NOT NULL,
    suite           TEXT NOT NULL,
    state           TEXT NOT NULL,
    postal_code     TEXT NOT NULL,
    phone           TEXT NOT NULL,
    hours_pattern   TEXT NOT NULL REFERENCES hours_patterns (pattern),
    parking         TEXT NOT NULL,
    transit         TEXT NOT NULL,
    offers_surgical INTEGER NOT NULL CHECK (offers_surgical IN (0, 1)),
    offers_cosmetic INTEGER NOT NULL CHECK (offers_cosmetic IN (0, 1)),
    offers_allergy  INTEGER NOT NULL CHECK (offers_allergy IN (0, 1))
) WITHOUT ROWID;
CREATE INDEX locations_by_region ON locations (region, place_no);
CREATE INDEX locations_by_zip ON locations (postal_code);

CREATE TABLE providers (
    provider_id TEXT PRIMARY KEY,
    full_name   TEXT NOT NULL,
    credentials TEXT NOT NULL,
    family      TEXT NOT NULL CHECK (family IN ('medical', 'surgical', 'allergy', 'cosmetic'))
) WITHOUT ROWID;

CREATE TABLE provider_locations (
    provider_id TEXT NOT NULL REFERENCES providers (provider_id),
    location_id TEXT NOT NULL REFERENCES locations (location_id),
    PRIMARY KEY (provider_id, location_id)
) WITHOUT ROWID;
CREATE INDEX provider_locations_by_location ON provider_locations (location_id);

CREATE TABLE plans (
    plan          TEXT PRIMARY KEY,
    title         TEXT NOT NULL,
    needs_referral INTEGER NOT NULL CHECK (needs_referral IN (0, 1)),
    note          TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE plan_locations (
    plan        TEXT NOT NULL REFERENCES plans (plan),
    location_id TEXT NOT NULL REFERENCES locations (location_id),
    PRIMARY KEY (plan, location_id)
) WITHOUT ROWID;

-- What the insurers would answer about their members.
CREATE TABLE coverage_members (
    plan                TEXT NOT NULL REFERENCES plans (plan),
    member_id           TEXT NOT NULL CHECK (length(member_id) = 9),
    date_of_birth       TEXT NOT NULL,
    active              INTEGER NOT NULL CHECK (active IN (0, 1)),
    copay_cents         INTEGER NOT NULL CHECK (copay_cents >= 0),
    deductible_left_cents INTEGER NOT NULL CHECK (deductible_left_cents >= 0),
    coinsurance_percent INTEGER NOT NULL CHECK (coinsurance_percent BETWEEN 0 AND 100),
    PRIMARY KEY (plan, member_id)
) WITHOUT ROWID;

CREATE TABLE visit_types (
    visit_type TEXT PRIMARY KEY,
    title      TEXT NOT NULL,
    family     TEXT NOT NULL CHECK (family IN ('medical', 'surgical', 'allergy', 'cosmetic')),
    minutes    INTEGER NOT NULL CHECK (minutes > 0)
) WITHOUT ROWID;

CREATE TABLE concerns (
    concern     TEXT PRIMARY KEY,
    visit_type  TEXT NOT NULL REFERENCES visit_types (visit_type),
    ask_urgency INTEGER NOT NULL CHECK (ask_urgency IN (0, 1))
) WITHOUT ROWID;

CREATE TABLE slots (
    slot_id     TEXT PRIMARY KEY,
    location_id TEXT NOT NULL REFERENCES locations (location_id),
    provider_id TEXT NOT NULL REFERENCES providers (provider_id),
    family      TEXT NOT NULL CHECK (family IN ('medical', 'surgical', 'allergy', 'cosmetic')),
    starts_at   TEXT NOT NULL,
    -- Held back for callers who can't wait.
    urgent_only INTEGER NOT NULL CHECK (urgent_only IN (0, 1))
) WITHOUT ROWID;
CREATE INDEX slots_by_place ON slots (location_id, family, starts_at);

CREATE TABLE cosmetic_services (
    service TEXT PRIMARY KEY,
    title   TEXT NOT NULL,
    price   TEXT NOT NULL,
    typical TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE formulary (
    medication  TEXT PRIMARY KEY,
    title       TEXT NOT NULL,
    -- refill: on file, after a recent visit; authorization: the insurer is asked first; programme: never by phone.
    route       TEXT NOT NULL CHECK (route IN ('refill', 'authorization', 'programme'))
) WITHOUT ROWID;

CREATE TABLE patients (
    patient_id    TEXT PRIMARY KEY,
    full_name     TEXT NOT NULL,
    date_of_birth TEXT NOT NULL,
    phone         TEXT NOT NULL,
    email         TEXT NOT NULL,
    postal_code   TEXT NOT NULL,
    home_location TEXT NOT NULL REFERENCES locations (location_id),
    plan          TEXT REFERENCES plans (plan),
    portal_active INTEGER NOT NULL CHECK (portal_active IN (0, 1)),
    last_visit    TEXT,
    last_shot     TEXT
) WITHOUT ROWID;
CREATE INDEX patients_by_birth ON patients (date_of_birth);
CREATE INDEX patients_by_phone ON patients (phone);

-- A chart's patient, or a newcomer whose chart is made at the visit.
CREATE TABLE appointments (
    appointment_id TEXT PRIMARY KEY,
    patient_id     TEXT REFERENCES patients (patient_id),
    new_name       TEXT,
    new_birth      TEXT,
    new_phone      TEXT,
    location_id    TEXT NOT NULL REFERENCES locations (location_id),
    provider_id    TEXT NOT NULL REFERENCES providers (provider_id),
    slot_id        TEXT REFERENCES slots (slot_id),
    starts_at      TEXT NOT NULL,
    visit_type     TEXT NOT NULL REFERENCES visit_types (visit_type),
    service        TEXT REFERENCES cosmetic_services (service),
    status         TEXT NOT NULL CHECK (status IN ('booked', 'cancelled', 'completed', 'no_show')),
    made_at        TEXT NOT NULL,
    CHECK ((patient_id IS NULL) != (new_name IS NULL)),
    CHECK (new_name IS NULL OR new_phone IS NOT NULL)
) WITHOUT ROWID;
CREATE INDEX appointments_by_patient ON appointments (patient_id, starts_at);
CREATE INDEX appointments_by_newcomer ON appointments (new_phone) WHERE new_phone IS NOT NULL;
-- Two people never have one time.
CREATE UNIQUE INDEX appointments_by_slot ON appointments (slot_id) WHERE status = 'booked';

CREATE TABLE charges (
    charge_id    TEXT PRIMARY KEY,
    patient_id   TEXT NOT NULL REFERENCES patients (patient_id),
    kind         TEXT NOT NULL CHECK (kind IN ('visit', 'procedure', 'pathology', 'copay', 'missed_visit', 'late_change')),
    title        TEXT NOT NULL,
    service_on   TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    status       TEXT NOT NULL CHECK (status IN ('open', 'paid')),
    why          TEXT NOT NULL,
    posted_at    TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX charges_by_patient ON charges (patient_id, status);

CREATE TABLE deposits (
    deposit_id     TEXT PRIMARY KEY,
    patient_id     TEXT NOT NULL REFERENCES patients (patient_id),
    appointment_id TEXT NOT NULL REFERENCES appointments (appointment_id),
    amount_cents   INTEGER NOT NULL CHECK (amount_cents > 0)
) WITHOUT ROWID;
CREATE INDEX deposits_by_patient ON deposits (patient_id);

CREATE TABLE prescriptions (
    prescription_id TEXT PRIMARY KEY,
    patient_id      TEXT NOT NULL REFERENCES patients (patient_id),
    medication      TEXT NOT NULL REFERENCES formulary (medication),
    refills_left    INTEGER NOT NULL CHECK (refills_left >= 0),
    pharmacy        TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX prescriptions_by_patient ON prescriptions (patient_id, medication);

-- Where a test stands. What it found is not here: this line never knows it.
CREATE TABLE results (
    result_id    TEXT PRIMARY KEY,
    patient_id   TEXT NOT NULL REFERENCES patients (patient_id),
    kind         TEXT NOT NULL CHECK (kind IN ('biopsy', 'blood_work', 'allergy_test')),
    collected_on TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('in_progress', 'awaiting_review', 'released'))
) WITHOUT ROWID;
CREATE INDEX results_by_patient ON results (patient_id, kind, collected_on);

CREATE TABLE insurance_records (
    record_id      TEXT PRIMARY KEY,
    patient_id     TEXT REFERENCES patients (patient_id),
    appointment_id TEXT REFERENCES appointments (appointment_id),
    plan           TEXT NOT NULL REFERENCES plans (plan),
    member_id      TEXT NOT NULL CHECK (length(member_id) = 9),
    relationship   TEXT NOT NULL,
    captured_at    TEXT NOT NULL,
    CHECK ((patient_id IS NULL) != (appointment_id IS NULL))
) WITHOUT ROWID;
CREATE INDEX insurance_records_by_patient ON insurance_records (patient_id);

CREATE TABLE waitlist (
    entry_id    TEXT PRIMARY KEY,
    patient_id  TEXT REFERENCES patients (patient_id),
    new_name    TEXT,
    new_phone   TEXT,
    location_id TEXT NOT NULL REFERENCES locations (location_id),
    visit_type  TEXT NOT NULL REFERENCES visit_types (visit_type),
    joined_at   TEXT NOT NULL,
    CHECK ((patient_id IS NULL) != (new_name IS NULL))
) WITHOUT ROWID;
CREATE INDEX waitlist_by_patient ON waitlist (patient_id);

CREATE TABLE callback_tasks (
    task_id     TEXT PRIMARY KEY,
    topic       TEXT NOT NULL,
    caller_name TEXT NOT NULL,
    phone       TEXT NOT NULL,
    best_time   TEXT NOT NULL,
    details     TEXT NOT NULL,
    due_at      TEXT NOT NULL,
    created_at  TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE clinical_messages (
    message_id     TEXT PRIMARY KEY,
    patient_id     TEXT NOT NULL REFERENCES patients (patient_id),
    topic          TEXT NOT NULL,
    urgency        TEXT NOT NULL,
    callback_phone TEXT NOT NULL,
    medication     TEXT REFERENCES formulary (medication),
    message        TEXT NOT NULL,
    due_at         TEXT NOT NULL,
    created_at     TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX clinical_messages_by_patient ON clinical_messages (patient_id);

CREATE TABLE refill_requests (
    request_id      TEXT PRIMARY KEY,
    prescription_id TEXT NOT NULL REFERENCES prescriptions (prescription_id),
    kind            TEXT NOT NULL CHECK (kind IN ('refill', 'authorization')),
    created_at      TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX refill_requests_by_prescription ON refill_requests (prescription_id);

CREATE TABLE fee_waivers (
    waiver_id  TEXT PRIMARY KEY,
    charge_id  TEXT NOT NULL REFERENCES charges (charge_id),
    patient_id TEXT NOT NULL REFERENCES patients (patient_id),
    reason     TEXT NOT NULL,
    details    TEXT NOT NULL,
    filed_on   TEXT NOT NULL,
    created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX fee_waivers_by_patient ON fee_waivers (patient_id, filed_on);

CREATE TABLE sms_log (
    sms_id         TEXT PRIMARY KEY,
    phone          TEXT NOT NULL,
    message        TEXT NOT NULL,
    appointment_id TEXT NOT NULL REFERENCES appointments (appointment_id),
    sent_at        TEXT NOT NULL
) WITHOUT ROWID;

-- --- what only this one call knows ---------------------------------------------------------------------------

-- household_phone: the phone under which identify_patient found charts.
CREATE TABLE call_session (
    only_row        INTEGER PRIMARY KEY CHECK (only_row = 1),
    household_phone TEXT,
    failures        INTEGER NOT NULL,
    ended           TEXT NOT NULL
);

CREATE TABLE verified_patients (
    patient_id TEXT PRIMARY KEY REFERENCES patients (patient_id)
) WITHOUT ROWID;

-- A time can only be taken after find_slots has named it for that type of visit.
CREATE TABLE offered_slots (
    slot_id    TEXT NOT NULL REFERENCES slots (slot_id),
    visit_type TEXT NOT NULL REFERENCES visit_types (visit_type),
    PRIMARY KEY (slot_id, visit_type)
) WITHOUT ROWID;

-- Visits booked or moved on this call.
CREATE TABLE committed_visits (
    appointment_id TEXT PRIMARY KEY REFERENCES appointments (appointment_id)
) WITHOUT ROWID;

-- Links are delivery: what is owed changes only when the payment comes in.
CREATE TABLE payment_links (
    patient_id   TEXT NOT NULL REFERENCES patients (patient_id),
    purpose      TEXT NOT NULL,
    phone        TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    PRIMARY KEY (patient_id, purpose)
) WITHOUT ROWID;

CREATE TABLE portal_invites (
    patient_id TEXT PRIMARY KEY REFERENCES patients (patient_id),
    channel    TEXT NOT NULL
) WITHOUT ROWID;
