"""A decorated job that ends well, and one that does not. HEALTHCHECK_URL names the check."""
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
