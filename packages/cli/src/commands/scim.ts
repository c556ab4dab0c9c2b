import { createScimToken, parseScimToken, publishScimToken, type ScimTokenRecord } from '@roster/access';
import { type Family, list, type Tools } from '../command.ts';
import { pepperOf } from '../local.ts';
import type { Result } from '../result.ts';
import {
  type Kind,
  keepSecret,
  type Limits,
  limitFlags,
  limitsOf,
  listSecrets,
  revokeSecret,
} from '../secrets.ts';
import { companyOf } from './company.ts';

interface TokenOptions extends Limits {
  origin: string[];
  company?: string;
  name: string;
}

const scimTokens: Kind<ScimTokenRecord> = {
  noun: 'token',
  commands: 'roster scim token',
  audited: 'scim_token',
  records: (store) => store.scimTokens,
  publish: publishScimToken,
  row: ({ company }) => ({ company }),
  idIn: (text) => parseScimToken(text)?.id,
  owner: { COMPANY: ({ company }) => company },
  allowed: { ORIGINS: ({ origins }) => origins.join(' ') },
};

/** One header in its compared form: no line breaks, no character that a header cannot hold. */
const isOrigin = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text);

const problemsOf = ({ origin }: TokenOptions): string[] => [
  ...(origin.length === 0
    ? ['a token needs an --origin at least: what the provisioner sends as X-Request-Origin']
    : []),
  ...origin.filter((text) => !isOrigin(text)).map((text) => `--origin ${text} can be in no header`),
];

const makeToken = async (tools: Tools, options: TokenOptions): Promise<Result> => {
  const { servers, io } = tools;
  const { name, origin: origins } = options;
  const [pepper, now] = [pepperOf(io), io.now()];
  const limits = limitsOf('token', options, now, problemsOf(options));
  const { id: company } = await companyOf(servers, options.company);
  const { token, record } = createScimToken({ company, name, origins, ...limits, pepper, now });
  const of = `of the company ${company}, for ${record.origins.join(', ')}`;
  return keepSecret(tools, scimTokens, { record, text: token, of });
};

const createHelp = `
The token goes into the identity provider, together with the header X-Request-Origin. One without the other is 401.

Examples:
  $ roster scim token create --origin https://acme.okta.com --name okta
  $ roster scim token create --origin https://login.microsoftonline.com --company acme --expires 1y`;

const tokenCommands: Family = {
  about: 'SCIM tokens',
  commands: {
    create: {
      about: 'make a token; its secret is shown once',
      flags: {
        ...limitFlags,
        '--origin <origin>': list('the X-Request-Origin of the provisioner; repeat it for more'),
        '--company <id>': 'the company; not needed when there is one',
        '--name <text>': { about: 'what it is for, in your words', usual: 'SCIM' },
      },
      help: createHelp,
      run: makeToken,
    },
    list: {
      about: 'all tokens, without their secrets',
      run: (tools: Tools) => listSecrets(tools, scimTokens),
    },
    revoke: {
      about: 'end a token, at once',
      args: { '<id>': 'the id of the token (the part after rs_)' },
      run: (tools: Tools, id: string) => revokeSecret(tools, scimTokens, id),
    },
  },
};

export const scimCommands: Family = {
  about: 'access of identity providers to dashboard users',
  example: 'roster scim token create --origin https://acme.okta.com',
  commands: { token: tokenCommands },
};
