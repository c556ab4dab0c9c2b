"""Runs scim2-tester against the address given, and says what each check came to: one line a check, the totals as JSON at the end."""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

address, token, origin = sys.argv[1:4]
headers = {
    "Authorization": f"Bearer {token}",
    "X-Request-Origin": origin,
    "Accept": "application/scim+json",
}
with Client(base_url=address, headers=headers, timeout=20) as http:
    results = check_server(SyncSCIMClient(http))

bad = {Status.ERROR, Status.CRITICAL, Status.DEVIATION}
for result in results:
    if result.status in bad or result.status == Status.SKIPPED or "-v" in sys.argv:
        print(result.status.name, result.title, "-", result.reason)
    if result.status in bad and "-v" in sys.argv:
        print("   ", result.data)
failed = sum(result.status in bad for result in results)
skipped = sum(result.status == Status.SKIPPED for result in results)
print(json.dumps({"passed": len(results) - failed - skipped, "failed": failed, "skipped": skipped}))
