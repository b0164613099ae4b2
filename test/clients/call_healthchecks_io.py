"""Makes every call of the client healthchecks-io. The only argument is the API version."""
import os
import sys

from healthchecks_io import CheckCreate, CheckUpdate, Client

version = int(sys.argv[1])
base = os.environ["BASE"]
client = Client(
    api_key=os.environ["API_KEY"],
    ping_key=os.environ["PING_KEY"],
    api_url=base + "/api/",
    ping_url=base + "/ping/",
    api_version=version,
)
name = f"python-{version}"
check = client.create_check(CheckCreate(name=name, tags="python", timeout=3600, grace=60))
uuid = check.uuid
assert check.status == "new"
assert client.success_ping(uuid=uuid) == (True, "OK")
assert client.start_ping(uuid=uuid) == (True, "OK")
assert client.fail_ping(uuid=uuid, data="boom") == (True, "OK")
assert client.exit_code_ping(3, uuid=uuid) == (True, "OK")
assert [ping.type for ping in client.get_check_pings(uuid)] == ["fail", "fail", "start", "success"]
assert [check.name for check in client.get_checks(tags=["python"])] == [name]
assert client.get_check(uuid).n_pings == 4
assert client.update_check(uuid, CheckUpdate(name=name, desc="nightly")).desc == "nightly"
if version == 1:
    # Since version 3 the client sets the slug, which this client doesn't support.
    assert client.success_ping(slug=name) == (True, "OK")
else:
    assert [flip.up for flip in client.get_check_flips(uuid)] == [0, 1]
assert client.pause_check(uuid).status == "paused"
client.get_integrations()
assert "*" in client.get_badges()
assert client.delete_check(uuid).name == name
print("passed")
