// Track an event, and read it back: node examples/track.mjs (with ROSTER_URL and ROSTER_API_KEY)
import { Roster } from '@roster/client';

const { ROSTER_URL, ROSTER_API_KEY } = process.env;
if (!ROSTER_URL || !ROSTER_API_KEY) {
  console.error('Set ROSTER_URL and ROSTER_API_KEY: examples/README.md says how.');
  process.exit(2);
}

const roster = new Roster({ url: ROSTER_URL, key: ROSTER_API_KEY });

await roster.users.track(
  { events: [{ external_id: 'ada', name: 'opened_shop', time: new Date().toISOString() }] },
  { wait: 5 },
);
const { users } = await roster.users.export.ids({
  external_ids: ['ada'],
  fields_to_export: ['custom_events'],
});
const { name, count } = users[0].custom_events.find((event) => event.name === 'opened_shop');
console.log(`${name}: ${count}`);
