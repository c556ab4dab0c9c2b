import { permissions } from '@roster/contract';
import type { Command } from 'commander';
import type { Act } from '../act.ts';
import { listSecrets } from '../list-secrets.ts';
import { collect, withLimits } from '../secret-limits.ts';
import { apiKeys, makeKey, revokeKey } from './make-key.ts';

const createHelp = `
The key is printed alone on standard output, so that a script can take it.

Examples:
  $ roster keys create --workspace shop --name backend --permission users.track --permission users.export.ids
  $ roster keys create --workspace shop --name admin --permission '*' --ip 10.0.0.0/8 --expires 90d
  $ KEY=$(roster keys create --workspace shop --name ci --permission users.track)`;

export const addKeyCommands = (program: Command, act: Act): void => {
  const keys = program.command('keys').description('API keys');
  withLimits(keys.command('create'))
    .description('make a key; its secret is shown once')
    .requiredOption('--workspace <id>', 'the workspace it is for')
    .requiredOption('--name <text>', 'what it is for, in your words')
    .option('--permission <name>', "what it may do; repeat it for more, '*' is everything", collect, [])
    .addHelpText('after', createHelp)
    .action(act(makeKey));
  keys
    .command('list')
    .description('all keys, without their secrets')
    .option('--workspace <id>', 'only those of this workspace')
    .action(
      act((tools, { workspace: ws }: { workspace?: string }) =>
        listSecrets(tools, apiKeys, ws === undefined ? undefined : { ws }),
      ),
    );
  keys
    .command('revoke')
    .description('end a key; heard by every ingress at once')
    .argument('<id>', 'the id of the key (the part after rk_)')
    .action(act(revokeKey));
  keys
    .command('permissions')
    .description('the permissions that a key can have')
    .action(act(async () => ({ json: permissions, text: `${permissions.join('\n')}\n` })));
};
