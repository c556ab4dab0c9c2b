// Exports people from the hosted service, as lines for `roster import`:
//   node examples/hosted-export.mjs ids.txt > people.ndjson              an external id on each line
//   node examples/hosted-export.mjs --segment <segment id> people.zip    all people of a segment
//   node examples/hosted-export.mjs --groups people.ndjson               their subscription groups, into these lines
// HOSTED_URL is its REST address, HOSTED_KEY a key with users.export.ids, users.export.segment or subscription.groups.get.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseExact, stringifyExact } from '@roster/contract';
import { addGroups } from './hosted-groups.mjs';
import { ask, fetched, firstWords } from './hosted-requests.mjs';

const usage = `node examples/hosted-export.mjs ids.txt > people.ndjson
node examples/hosted-export.mjs --segment <segment id> people.zip
node examples/hosted-export.mjs --groups people.ndjson
with HOSTED_URL, the REST address of the hosted service, and HOSTED_KEY in the environment`;

const { HOSTED_URL = '', HOSTED_KEY = '' } = process.env;
const [first, second, zip] = process.argv.slice(2);
const modes = { '--segment': zip, '--groups': second };

if (!URL.canParse(HOSTED_URL) || HOSTED_KEY === '' || !(first in modes ? modes[first] : first)) {
  console.error(usage);
  process.exit(2);
}

const fields =
  'apps attributed_ad attributed_adgroup attributed_campaign attributed_source braze_id campaigns_received canvases_received ' +
  'cards_clicked country created_at custom_attributes devices dob email email_subscribe external_id first_name gender home_city language ' +
  'last_coordinates last_name phone push_subscribe push_tokens random_bucket time_zone uninstalled_at user_aliases';
const fields_to_export = fields.split(' ');

/** Of a request. */
const idsMax = 50;
/** A file may take an hour to be made, and another one to come. */
const fileAttemptsMax = 150;
const fileTimeoutMs = 3_600_000;

const post = (path, body) =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, fields_to_export }),
  });

let done = 0;
let unknown = 0;
const [unknownFile, restFile] = [`${first}.unknown`, `${first}.rest`];

const peopleIn = (text) => {
  try {
    const { users, invalid_user_ids = [] } = parseExact(text);
    if (Array.isArray(users)) return { users, invalid_user_ids };
  } catch {}
  throw new Error(`HOSTED_URL did not answer with people: ${firstWords(text)}`);
};

/** With all digits of long numbers. */
const exportIds = async (external_ids) => {
  const answer = await post('/users/export/ids', { external_ids });
  const { users, invalid_user_ids } = peopleIn(await answer.text());
  process.stdout.write(users.map((user) => `${stringifyExact(user)}\n`).join(''));
  appendFileSync(unknownFile, invalid_user_ids.map((id) => `${id}\n`).join(''));
  done += external_ids.length;
  unknown += invalid_user_ids.length;
};

/** As an editor or a spreadsheet has written it. */
const linesIn = (bytes) => {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  return text.split(/\r\n|\r|\n/).filter((line) => line !== '');
};

let ids = [];

const exportAll = async () => {
  ids = linesIn(readFileSync(first));
  rmSync(unknownFile, { force: true });
  while (done < ids.length) await exportIds(ids.slice(done, done + idsMax));
  console.error(`${done} ids exported, ${unknown} of them unknown there.`);
  if (unknown > 0) console.error(`The unknown ones: ${unknownFile}`);
};

/** The address leads to the file as soon as that is made; before, it is forbidden or not there. */
const exportSegment = async () => {
  const { url } = await (
    await post('/users/export/segment', { segment_id: second, output_format: 'zip' })
  ).json();
  if (!url)
    throw new Error('the files are written to the bucket that is connected there: fetch them from it');
  const file = await fetched(
    url,
    { redirect: 'follow' },
    { again: () => true, attempts: fileAttemptsMax, ms: fileTimeoutMs },
  );
  await writeFile(zip, file.body);
};

try {
  if (first === '--groups') await addGroups(second);
  else await (first === '--segment' ? exportSegment() : exportAll());
} catch (error) {
  console.error(error.message);
  if (done > 0) {
    writeFileSync(
      restFile,
      ids
        .slice(done)
        .map((id) => `${id}\n`)
        .join(''),
    );
    console.error(
      `${done} ids are done. For the others: node examples/hosted-export.mjs ${restFile} >> people.ndjson`,
    );
  }
  process.exitCode = 1;
}
