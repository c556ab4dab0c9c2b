/** Makes SCIM tokens. */
import { createScimToken, parseScimToken, publishScimToken, type ScimTokenRecord } from '@roster/access';
import type { Tools } from '../act.ts';
import type { Kind } from '../list-secrets.ts';
import { pepperOf } from '../local.ts';
import type { Result } from '../result.ts';
import { type Limits, limitsOf } from '../secret-limits.ts';
import { keepSecret } from '../secrets.ts';
import { companyOf } from './company.ts';

interface TokenOptions extends Limits {
  origin: string[];
  company?: string;
  name: string;
}

export const scimTokens: Kind<ScimTokenRecord> = {
  noun: 'token',
  list: 'roster scim token list',
  audited: 'scim_token',
  records: (store) => store.scimTokens,
  publish: publishScimToken,
  row: ({ company }) => ({ company }),
  idIn: (text) => parseScimToken(text)?.id,
  columns: ['COMPANY', 'ORIGINS'],
  cells: ({ company, origins }) => [company, origins.join(' ')],
};

/** One header in its compared form: no line breaks, no character that a header cannot hold. */
const isOrigin = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text);

const problemsOf = ({ origin }: TokenOptions): string[] => [
  ...(origin.length === 0
    ? ['a token needs an --origin at least: what the provisioner sends as X-Request-Origin']
    : []),
  ...origin.filter((text) => !isOrigin(text)).map((text) => `--origin ${text} can be in no header`),
];

export const makeToken = async (tools: Tools, options: TokenOptions): Promise<Result> => {
  const { servers, io } = tools;
  const { name, origin: origins } = options;
  const [pepper, now] = [pepperOf(io), io.now()];
  const limits = limitsOf('token', options, now, problemsOf(options));
  const { id: company } = await companyOf(servers, options.company);
  const { token, record } = createScimToken({ company, name, origins, ...limits, pepper, now });
  const of = `of the company ${company}, for ${record.origins.join(', ')}`;
  return keepSecret(tools, scimTokens, { record, text: token, of });
};
