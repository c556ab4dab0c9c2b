import {
  createScimToken,
  isAddressRange,
  parseScimToken,
  publishScimToken,
  type ScimTokenRecord,
} from '@roster/access';
import type { Command } from 'commander';
import type { Act } from '../act.ts';
import { audited } from '../audited.ts';
import { pepperOf } from '../local.ts';
import { publish } from '../publish.ts';
import { failed, missing, type Result, wrong } from '../result.ts';
import type { Servers } from '../servers.ts';
import { table } from '../table.ts';
import { companyOf } from './company.ts';
import { expiryOf } from './keys.ts';

interface TokenOptions {
  origin: string[];
  company?: string;
  name: string;
  ip: string[];
  expires?: string;
}

/** One header, as it will be compared: no line breaks, nothing that no header can hold. */
const isOrigin = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text);

const problemsOf = ({ origin, ip, expires }: TokenOptions, now: Date): string[] => {
  const until = expires === undefined ? undefined : expiryOf(expires, now);
  const isOver = until !== undefined && Date.parse(until) <= now.getTime();
  return [
    ...(origin.length === 0
      ? ['a token needs an --origin at least: what the provisioner sends as X-Request-Origin']
      : []),
    ...origin.filter((text) => !isOrigin(text)).map((text) => `--origin ${text} can be in no header`),
    ...ip
      .filter((range) => !isAddressRange(range))
      .map((range) => `--ip ${range} is no address or CIDR range like 10.0.0.0/8`),
    ...(expires !== undefined && !until
      ? [`--expires ${expires} is no date; give one like 2027-01-31 or 90d`]
      : []),
    ...(isOver ? [`--expires ${expires} is already over`] : []),
  ];
};

const withoutHash = ({ hash: _kept, ...record }: ScimTokenRecord) => record;

const makeToken = async (
  servers: Servers,
  options: TokenOptions,
  pepper: string,
  now: Date,
): Promise<Result> => {
  const problems = problemsOf(options, now);
  if (problems.length > 0) throw wrong(`no token was made:\n  - ${problems.join('\n  - ')}`);
  const company = await companyOf(servers, options.company);
  const { name, origin: origins, ip: ips, expires } = options;
  const until = expires && expiryOf(expires, now);
  const { token, record } = createScimToken({
    company: company.id,
    name,
    origins,
    ips,
    expires: until,
    pepper,
    now,
  });
  const store = await servers.store();
  const entry = { what: 'scim_token.created', target: record.id, company: company.id, now };
  await audited(store, entry, (session) => store.scimTokens.put(record, session));
  await publish(servers, `token ${record.id} is saved`, (redis) => publishScimToken(redis, record)).catch(
    (error) => {
      // The secret is known only here: show it, whatever else went wrong.
      throw failed(`${error.message}\nThe token, shown this once: ${token}`);
    },
  );
  return {
    json: { token, ...withoutHash(record) },
    text: `${token}\n`,
    notes: [
      `Token ${record.id} ("${name}") of the company ${company.id}, for ${record.origins.join(', ')}. Keep it now: it is shown this once and stored nowhere.`,
    ],
  };
};

const stateOf = ({ revoked, expires }: ScimTokenRecord, now: Date): string => {
  if (revoked) return `revoked ${revoked.slice(0, 10)}`;
  if (!expires) return 'active';
  return Date.parse(expires) <= now.getTime() ? 'expired' : `until ${expires.slice(0, 10)}`;
};

const listTokens = async (servers: Servers, now: Date): Promise<Result> => {
  const all = await (await servers.store()).scimTokens.list<ScimTokenRecord>();
  const rows = all.map((record) => [
    record.id,
    record.company,
    record.name,
    stateOf(record, now),
    record.origins.join(' '),
    record.ips?.join(' ') ?? 'any',
  ]);
  return {
    json: all.map(withoutHash),
    text: table(['ID', 'COMPANY', 'NAME', 'STATE', 'ORIGINS', 'FROM'], rows),
  };
};

/** Twice is fine, and tells the ingress again. A whole token may be given for its id. */
const revokeToken = async (servers: Servers, given: string, now: Date): Promise<Result> => {
  const id = parseScimToken(given)?.id ?? given;
  const store = await servers.store();
  const record = await store.scimTokens.get<ScimTokenRecord>(id);
  if (!record) throw missing(`there is no SCIM token ${id}. "roster scim token list" shows them.`);
  const revoked = { ...record, revoked: record.revoked ?? now.toISOString() };
  const entry = { what: 'scim_token.revoked', target: id, company: record.company, now };
  if (!record.revoked) await audited(store, entry, (session) => store.scimTokens.put(revoked, session));
  await publish(servers, `token ${id} is revoked`, (redis) => publishScimToken(redis, revoked));
  return { json: withoutHash(revoked), text: `token ${id} is revoked\n` };
};

const collect = (text: string, before: string[]): string[] => [...before, text];

const createHelp = `
The token goes into the identity provider, together with the header X-Request-Origin. One without the other is 401.

Examples:
  $ roster scim token create --origin https://acme.okta.com --name okta
  $ roster scim token create --origin https://login.microsoftonline.com --company acme --expires 1y`;

export const addScimCommands = (program: Command, act: Act): void => {
  const token = program
    .command('scim')
    .description('access of identity providers to dashboard users')
    .command('token')
    .description('SCIM tokens');
  token
    .command('create')
    .description('make a token; its secret is shown once')
    .option('--origin <origin>', 'the X-Request-Origin of the provisioner; repeat it for more', collect, [])
    .option('--company <id>', 'the company; not needed when there is one')
    .option('--name <text>', 'what it is for, in your words', 'SCIM')
    .option(
      '--ip <address>',
      'from where it may be used: addresses or CIDR ranges; repeat it for more',
      collect,
      [],
    )
    .option('--expires <when>', 'until when: a date, or 90d, 2w, 1y from now')
    .addHelpText('after', createHelp)
    .action(
      act(({ servers, io }, options: TokenOptions) => makeToken(servers, options, pepperOf(io), io.now())),
    );
  token
    .command('list')
    .description('all tokens, without their secrets')
    .action(act(({ servers, io }) => listTokens(servers, io.now())));
  token
    .command('revoke')
    .description('end a token, at once')
    .argument('<id>', 'the id of the token (the part after rs_)')
    .action(act(({ servers, io }, id: string) => revokeToken(servers, id, io.now())));
};
