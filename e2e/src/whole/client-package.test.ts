/** The tarball of the client in an empty project outside the repository, with the program of the examples, against the services. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProject, type Project } from '../client/project.ts';
import { useWorkspace } from '../shared.ts';

const system = useWorkspace('client-package');
let project: Project;

beforeAll(async () => {
  project = await openProject();
});
afterAll(() => project.remove());

it('examples/track.mjs tracks an event, and reads it back', async () => {
  const text = readFileSync(join(__dirname, '../../../examples/track.mjs'), 'utf8');
  const program = await project.put('track.mjs', text);
  const variables = { ROSTER_URL: system.base, ROSTER_API_KEY: system.key };
  expect(await project.run(process.execPath, [program], variables)).toBe('opened_shop: 1\n');
});
