// Exports people from the hosted service, as lines for `roster import`:
//   node examples/hosted-export.mjs ids.txt > people.ndjson              an external id on each line
//   node examples/hosted-export.mjs --segment <segment id> people.zip    all people of a segment
// HOSTED_URL is its REST address, HOSTED_KEY a key with users.export.ids or users.export.segment.
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseExact, stringifyExact } from '@roster/contract';

const { HOSTED_URL, HOSTED_KEY } = process.env;
const [first, segment, zip] = process.argv.slice(2);

const fields =
  'apps attributed_ad attributed_adgroup attributed_campaign attributed_source braze_id campaigns_received canvases_received ' +
  'cards_clicked country created_at custom_attributes devices dob email email_subscribe external_id first_name gender home_city language ' +
  'last_coordinates last_name phone push_subscribe push_tokens random_bucket time_zone uninstalled_at user_aliases';
const fields_to_export = fields.split(' ');

/** Of a request. */
const idsMax = 50;
const attemptsMax = 20;
const pauseMsMax = 60_000;
const timeoutMs = 120_000;
/** A file may take an hour to be made, and another one to come. */
const fileAttemptsMax = 150;
const fileTimeoutMs = 3_600_000;

/** Until the window of a rate limit is over, else a little longer each time. */
const pauseAfter = async (answer, attempt) => {
  const reset = Number(answer?.headers.get('x-ratelimit-reset')) * 1000 - Date.now();
  await sleep(
    Math.min(pauseMsMax, Math.max(0, answer?.status === 429 && !Number.isNaN(reset) ? reset : 500 * attempt)),
  );
};

/** `again`: the states after which the request is sent again. */
const fetched = async (url, options, { again, attempts = attemptsMax, ms = timeoutMs }) => {
  for (let attempt = 1; ; attempt += 1) {
    const signal = AbortSignal.timeout(ms);
    const answer = await fetch(url, { ...options, signal }).catch((error) => console.error(String(error)));
    if (answer?.ok) return answer;
    if (attempt === attempts || (answer && !again(answer.status)))
      throw new Error(answer ? `${answer.status} ${await answer.text()}` : 'no answer');
    await pauseAfter(answer, attempt);
  }
};

const post = (path, body) =>
  fetched(
    `${HOSTED_URL}${path}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${HOSTED_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, fields_to_export }),
    },
    { again: (status) => status === 429 || status >= 500 },
  );

let done = 0;
let unknown = 0;

/** With all digits of long numbers. */
const exportIds = async (external_ids) => {
  const answer = await post('/users/export/ids', { external_ids });
  const { users, invalid_user_ids = [] } = parseExact(await answer.text());
  process.stdout.write(users.map((user) => `${stringifyExact(user)}\n`).join(''));
  done += external_ids.length;
  unknown += invalid_user_ids.length;
};

const exportAll = async () => {
  const ids = [];
  for await (const line of createInterface({ input: createReadStream(first) })) {
    if (line === '') continue;
    ids.push(line);
    if (ids.length === idsMax) await exportIds(ids.splice(0));
  }
  if (ids.length > 0) await exportIds(ids);
  console.error(`${done} ids exported, ${unknown} of them unknown there.`);
};

/** The address leads to the file as soon as that is made; before, it is forbidden or not there. */
const exportSegment = async () => {
  const { url } = await (
    await post('/users/export/segment', { segment_id: segment, output_format: 'zip' })
  ).json();
  if (!url)
    throw new Error('the files are written to the bucket that is connected there: fetch them from it');
  const file = await fetched(url, {}, { again: () => true, attempts: fileAttemptsMax, ms: fileTimeoutMs });
  await writeFile(zip, file.body);
};

try {
  await (first === '--segment' ? exportSegment() : exportAll());
} catch (error) {
  const next =
    done > 0 ? `\n${done} ids are done. For the others: tail -n +${done + 1} ${first} > rest.txt` : '';
  console.error(`${error.message}${next}`);
  process.exitCode = 1;
}
