/** The common part of API keys and SCIM tokens: their limits, and how they are made, listed and revoked. */
import type { Tools } from './act.ts';
import { audited } from './audited.ts';
import { type Kind, type SecretRecord, withoutHash } from './list-secrets.ts';
import { publish } from './publish.ts';
import { failed, missing, type Result } from './result.ts';

const save = async <Kept extends SecretRecord>(
  { servers, io }: Tools,
  kind: Kind<Kept>,
  record: Kept,
  what: 'created' | 'revoked',
): Promise<void> => {
  const store = await servers.store();
  const entry = { what: `${kind.audited}.${what}`, target: record.id, ...kind.row(record), now: io.now() };
  await audited(store, entry, (session) => kind.records(store).put(record, session));
};

/** `of`: the workspace or company it belongs to, for the note. */
export const keepSecret = async <Kept extends SecretRecord>(
  tools: Tools,
  kind: Kind<Kept>,
  { record, text, of }: { record: Kept; text: string; of: string },
): Promise<Result> => {
  const { noun } = kind;
  const { id, name } = record;
  await save(tools, kind, record, 'created');
  await publish(tools.servers, `${noun} ${id} is saved`, (redis) => kind.publish(redis, record)).catch(
    (error) => {
      // The secret is known only here: show it, also after a failure.
      throw failed(`${error.message}\nThe ${noun}, shown this once: ${text}`);
    },
  );
  return {
    json: { [noun]: text, ...withoutHash(record) },
    text: `${text}\n`,
    notes: [
      `${noun === 'key' ? 'Key' : 'Token'} ${id} ("${name}") ${of}. Keep it now: it is shown this once and stored nowhere.`,
    ],
  };
};

/** The whole secret may be given for its id. Revoking twice is harmless, and tells the ingress again. */
export const revokeSecret = async <Kept extends SecretRecord>(
  tools: Tools,
  kind: Kind<Kept>,
  given: string,
): Promise<Result> => {
  const { servers, io } = tools;
  const { noun, list } = kind;
  const id = kind.idIn(given) ?? given;
  const record = await kind.records(await servers.store()).get<Kept>(id);
  if (!record) throw missing(`there is no ${noun} ${id}. "${list}" shows them.`);
  const revoked = { ...record, revoked: record.revoked ?? io.now().toISOString() };
  if (!record.revoked) await save(tools, kind, revoked, 'revoked');
  await publish(servers, `${noun} ${id} is revoked`, (redis) => kind.publish(redis, revoked));
  const text = record.revoked
    ? `${noun} ${id} had been revoked ${record.revoked}\n`
    : `${noun} ${id} ("${record.name}") is revoked\n`;
  return { json: withoutHash(revoked), text };
};
