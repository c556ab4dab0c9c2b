"""Track an event, and read it back: python3 examples/track.py (with ROSTER_URL and ROSTER_API_KEY)"""
import json, os, sys
from datetime import datetime, timezone
from urllib.request import Request, urlopen

if not (os.environ.get("ROSTER_URL") and os.environ.get("ROSTER_API_KEY")):
    sys.exit("Set ROSTER_URL and ROSTER_API_KEY: examples/README.md says how.")

def post(path, body):
    headers = {"Authorization": "Bearer " + os.environ["ROSTER_API_KEY"], "Content-Type": "application/json", "Prefer": "wait=5"}
    # An answer of 4xx or 5xx raises HTTPError.
    with urlopen(Request(os.environ["ROSTER_URL"] + path, json.dumps(body).encode(), headers)) as response:
        return json.load(response)

now = datetime.now(timezone.utc).isoformat()
post("/users/track", {"events": [{"external_id": "ada", "name": "opened_shop", "time": now}]})
user = post("/users/export/ids", {"external_ids": ["ada"], "fields_to_export": ["custom_events"]})["users"][0]
event = next(event for event in user["custom_events"] if event["name"] == "opened_shop")
print(f"{event['name']}: {event['count']}")
