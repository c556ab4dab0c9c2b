// Track an event, and read it back: node examples/track.mjs (with ROSTER_URL and ROSTER_API_KEY)
const { ROSTER_URL, ROSTER_API_KEY } = process.env;
if (!ROSTER_URL || !ROSTER_API_KEY) {
  console.error('Set ROSTER_URL and ROSTER_API_KEY: examples/README.md says how.');
  process.exit(2);
}

const post = async (path, body) => {
  const response = await fetch(ROSTER_URL + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${ROSTER_API_KEY}`,
      'Content-Type': 'application/json',
      Prefer: 'wait=5',
    },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${answer.message}`);
  return answer;
};

await post('/users/track', {
  events: [{ external_id: 'ada', name: 'opened_shop', time: new Date().toISOString() }],
});
const { users } = await post('/users/export/ids', {
  external_ids: ['ada'],
  fields_to_export: ['custom_events'],
});
const { name, count } = users[0].custom_events.find((event) => event.name === 'opened_shop');
console.log(`${name}: ${count}`);
