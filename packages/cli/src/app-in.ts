import type { WorkspaceSettings } from '@roster/access';
import { named } from './suggest.ts';

type App = WorkspaceSettings['apps'][number];

/** The app with this id, or an end that says which ones there are. */
export const appIn = ({ id: ws, apps }: WorkspaceSettings, id: string): App =>
  named(apps, id, {
    what: `the workspace ${ws} has no app`,
    otherwise: '"roster workspace show" shows them.',
  });
