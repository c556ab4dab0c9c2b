import type { Command } from 'commander';
import type { Act } from '../act.ts';
import { listSecrets } from '../list-secrets.ts';
import { withLimits } from '../secret-limits.ts';
import { revokeSecret } from '../secrets.ts';
import { makeToken, scimTokens } from './make-scim-token.ts';

const collect = (text: string, before: string[]): string[] => [...before, text];

const createHelp = `
The token goes into the identity provider, together with the header X-Request-Origin. One without the other is 401.

Examples:
  $ roster scim token create --origin https://acme.okta.com --name okta
  $ roster scim token create --origin https://login.microsoftonline.com --company acme --expires 1y`;

export const addScimCommands = (program: Command, act: Act): void => {
  const scim = program.command('scim').description('access of identity providers to dashboard users');
  const token = scim.command('token').description('SCIM tokens');
  withLimits(token.command('create'))
    .description('make a token; its secret is shown once')
    .option('--origin <origin>', 'the X-Request-Origin of the provisioner; repeat it for more', collect, [])
    .option('--company <id>', 'the company; not needed when there is one')
    .option('--name <text>', 'what it is for, in your words', 'SCIM')
    .addHelpText('after', createHelp)
    .action(act(makeToken));
  token
    .command('list')
    .description('all tokens, without their secrets')
    .action(act((tools) => listSecrets(tools, scimTokens)));
  token
    .command('revoke')
    .description('end a token, at once')
    .argument('<id>', 'the id of the token (the part after rs_)')
    .action(act((tools, id: string) => revokeSecret(tools, scimTokens, id)));
};
