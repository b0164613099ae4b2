"""Teaches Schemathesis to generate values of the document's own formats."""

import json
import os
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import schemathesis
from hypothesis import strategies as st

VECTORS = Path(__file__).parents[3] / "test/domain/schedule/vectors"


def expressions(name):
    lines = (VECTORS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["expr"] for line in lines]


SCHEDULES = sorted(set(expressions("cron.jsonl") + expressions("oncalendar.jsonl")))
ZONES = ["UTC", "Europe/Riga", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"]
SPANS = ["60", "3600", "31536000", "1m", "90m", "1h30m", "1 h 30 min", "5 minutes", "2d", "1w"]
# A silence begins and ends ahead, and lasts 30 days at most.
AHEAD_SECONDS = st.integers(min_value=3600, max_value=30 * 86400)
# A ping may come 72 hours late; the last hour is left for the time that a run takes.
LATE_SECONDS = st.integers(min_value=0, max_value=71 * 3600)


def milliseconds_ago(seconds):
    return str(int((time.time() - seconds) * 1000))


def seconds_ago(seconds):
    return str(int(time.time() - seconds))


def in_utc(seconds):
    return (datetime.now(timezone.utc) - timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def in_utc_ahead(seconds):
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


schemathesis.openapi.format("schedule", st.sampled_from(SCHEDULES))
schemathesis.openapi.format("timezone", st.sampled_from(ZONES))
schemathesis.openapi.format("span", st.sampled_from(SPANS))
schemathesis.openapi.format("span-or-schedule", st.sampled_from(SPANS + SCHEDULES))
schemathesis.openapi.format("ping-time", st.one_of(*(LATE_SECONDS.map(form) for form in (milliseconds_ago, seconds_ago, in_utc))))
schemathesis.openapi.format("channels", st.sampled_from(["*", "", os.environ["CHANNEL_ID"], "Ops"]))
schemathesis.openapi.format("date-time", AHEAD_SECONDS.map(in_utc_ahead))
