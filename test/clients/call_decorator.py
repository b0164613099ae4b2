"""A decorated job that succeeds and one that fails. HEALTHCHECK_URL is the ping URL of the check."""
import os

from healthchecks_decorator import healthcheck

url = os.environ["HEALTHCHECK_URL"]


@healthcheck(url=url, send_start=True, send_diagnostics=True)
def good():
    return "done"


@healthcheck(url=url, send_start=True, send_diagnostics=True)
def bad():
    raise ValueError("boom")


good()
try:
    bad()
except ValueError:
    print("passed")
