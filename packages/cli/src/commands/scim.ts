import { createScimToken, parseScimToken, publishScimToken, type ScimTokenRecord } from '@roster/access';
import type { Command } from 'commander';
import type { Act } from '../act.ts';
import { pepperOf } from '../local.ts';
import type { Result } from '../result.ts';
import {
  checkSecret,
  expiryOf,
  type Kind,
  keepSecret,
  revokeSecret,
  stateOf,
  withLimits,
  withoutHash,
} from '../secrets.ts';
import type { Servers } from '../servers.ts';
import { table } from '../table.ts';
import { companyOf } from './company.ts';

interface TokenOptions {
  origin: string[];
  company?: string;
  name: string;
  ip: string[];
  expires?: string;
}

const scimTokens: Kind<ScimTokenRecord> = {
  noun: 'token',
  list: 'roster scim token list',
  audited: 'scim_token',
  records: (store) => store.scimTokens,
  publish: publishScimToken,
  row: ({ company }) => ({ company }),
};

/** One header, as it will be compared: no line breaks, nothing that no header can hold. */
const isOrigin = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text);

const problemsOf = ({ origin }: TokenOptions): string[] => [
  ...(origin.length === 0
    ? ['a token needs an --origin at least: what the provisioner sends as X-Request-Origin']
    : []),
  ...origin.filter((text) => !isOrigin(text)).map((text) => `--origin ${text} can be in no header`),
];

const makeToken = async (
  servers: Servers,
  options: TokenOptions,
  pepper: string,
  now: Date,
): Promise<Result> => {
  checkSecret('token', problemsOf(options), options, now);
  const { id: company } = await companyOf(servers, options.company);
  const { name, origin: origins, ip: ips, expires } = options;
  const until = expires && expiryOf(expires, now);
  const made = createScimToken({ company, name, origins, ips, expires: until, pepper, now });
  const whose = `of the company ${company}, for ${made.record.origins.join(', ')}`;
  return keepSecret(servers, scimTokens, { record: made.record, text: made.token, whose, now });
};

/** A whole token may be given for its id. */
const revokeToken = (servers: Servers, given: string, now: Date): Promise<Result> =>
  revokeSecret(servers, scimTokens, parseScimToken(given)?.id ?? given, now);

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
  withLimits(token.command('create'))
    .description('make a token; its secret is shown once')
    .option('--origin <origin>', 'the X-Request-Origin of the provisioner; repeat it for more', collect, [])
    .option('--company <id>', 'the company; not needed when there is one')
    .option('--name <text>', 'what it is for, in your words', 'SCIM')
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
