/** The text of `roster import --help` below its options. */
export const importHelp = `
A line of NDJSON is one JSON object:
  {"type": "event", ...}             an entry of /users/track; type is attributes, event, purchase or user (exported)
  {"type": "alias", "external_id": "ada", "alias_name": "a-17", "alias_label": "crm"}
                                     an alias for an existing person; user_alias in place of external_id for a person
                                     without one
  {"attributes": [...], "events": [...], "purchases": [...]}     several of them, as a request has them; roster export
                                     adds "names": aliases and former external ids
  without a type                     an exported user if it has custom_attributes or user_aliases, or service_id and
                                     random_bucket; else a purchase if it has product_id, currency and price; else an event
                                     if it has name and time; else a purchase if it has product_id; else attributes. --type says it for all lines, and nothing is guessed.
Users as POST /users/export/ids shows them, here or in the hosted service, become attributes and aliases. A member that
cannot be sent (service_id, created_at, summaries of events and purchases, a text that is too long, an app that the
workspace does not have, ...) is left out, and the report counts it with its reason: the person comes in without it.
The hosted service exports push tokens with the name of their app. It is the name of an app in the settings of the
workspace, or --app maps it: --app 'Shop iOS=shop-ios' --app 'Shop Android=shop-droid'.

The key needs users.track; for aliases users.alias.new too, for a second alias of a person without an external id
users.merge, and for the former_external_ids that roster export writes users.external_ids.rename. Names for which it has
no permission are left out, and the report says so.

CSV has a header. What its rows are is told by --type, or by the columns as by the members of a line of NDJSON: with
name and time they are events, with product_id purchases, else attributes of people. The report says which. Columns that
an event or purchase does not have become its properties. alias_label and alias_name together are a user_alias. Empty cells say nothing. Cells are
texts, unless the column is called age:number, vip:boolean, tags:json or zip:text, or --types says so: --types age=number
--types price=comma (1.234,5) --types joined=date (29.11.2026) --types joined=date-dmy (29/11/2026)
--types joined=date-mdy (11/29/2026), or alone, to know numbers and true/false by their looks.
The server reads an attribute such as 05/11/2024 or 5-11-2024, and such a time, with the month first: 2024-05-11. 21/12/2024
stays a text. Columns that look like something else than texts, or have such dates, are named at the end. --dry-run judges every row, and sends nothing. --map 'Customer no'=external_id --map Age=age:number --map Note= (leaves Note out).

Going on: how far it came stands in <file>.roster-import.json. Ctrl-C ends it in order; the same command goes on, also
after a crash or a lost connection, and with what was appended to the file since. What was sent and not written down
(after a hard kill: half a second, and what was under way) is sent again under the same Idempotency-Key, which the
server remembers for 24 hours (unless configured): go on within that time, and nothing is counted twice. Later
than that, events, purchases and increments of that short piece count twice. --restart begins anew: rows that were sent
within the last 24 hours count once, with the same --batch-size; older ones are sent as new. Attributes that are set twice
are the same. To count the same rows again on purpose: --restart --run second. A file that is changed before the place
where it stopped does not go on. Rows about one person (by the same identifier) are applied in the order of the file.

Refused rows stand in <file>.refused.ndjson with line, code and sentence. So do those that were taken and ignored when they
were applied, with the reason (an unknown identifier, for one). That is known of rows about an alias or contact, and with
--wait of all. To correct and send them:
  $ jq -c '.row | objects' people.csv.refused.ndjson > corrected.ndjson
  $ roster import corrected.ndjson
A row of CSV with a wrong cell stands there with its other cells read, as a line of NDJSON. Rows of CSV also stand in
<file>.refused.csv as they are in the file, below its header. To correct and send them:
  $ roster import people.csv.refused.csv
What is left out of an exported user (a push token of an app that the workspace does not have, a value that no workspace
takes) stands in <file>.left-out.ndjson with its line, its person and the reason; what is left out of everybody is told once.
A quote that is not closed costs its own row: it ends where a line has the cells of the header again.

Examples:
  $ roster import people.csv --dry-run
  $ roster import people.csv
  $ roster import people.csv --map kundennummer=external_id --types --delimiter ';'
  $ roster import orders.csv --type purchase --wait
  $ zcat events.ndjson.gz | ROSTER_URL=https://roster.example ROSTER_API_KEY=rk_... roster import -
  $ roster import people.ndjson --json --refused /tmp/refused.ndjson

Exit codes: 0 all is in, 3 rows were refused or ignored, 1 stopped or failed (the same command goes on), 2 wrong command or file.`;
