"""Teaches Schemathesis to generate values of the document's own formats."""

import json
import os
from pathlib import Path

import schemathesis
from hypothesis import strategies as st

VECTORS = Path(__file__).parents[3] / "test/domain/schedule/vectors"


def expressions(name):
    lines = (VECTORS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["expr"] for line in lines]


SCHEDULES = sorted(set(expressions("cron.jsonl") + expressions("oncalendar.jsonl")))
ZONES = ["UTC", "Europe/Riga", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"]

schemathesis.openapi.format("schedule", st.sampled_from(SCHEDULES))
schemathesis.openapi.format("timezone", st.sampled_from(ZONES))
schemathesis.openapi.format("channels", st.sampled_from(["*", "", os.environ["CHANNEL_ID"], "Ops"]))
