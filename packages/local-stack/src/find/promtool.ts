/** Where a genuine promtool comes from: it checks and tests the rules of Prometheus. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackDebian } from './debian.ts';
import { createPlaces } from './places.ts';
import { type Say, type Source, sayOnStderr, search } from './search.ts';

const least = '2.42';
const program = 'promtool';
const entry = 'promtool-debian';

const advice = `Install Prometheus 2.42 or later and try again:
  Debian, Ubuntu   sudo apt-get install prometheus
  Fedora           sudo dnf install golang-github-prometheus
  macOS            brew install prometheus`;

const { installed, kept, keep } = createPlaces(program, { least });

/** It needs no libraries. */
const take = async (scraps: string, target: string): Promise<void> => {
  const root = await unpackDebian('prometheus', scraps);
  await copyFile(join(root, 'usr/bin', program), target);
};

const debian: Source = {
  title: "Debian's package prometheus",
  slow: "taking it out of Debian's package prometheus (19 MB)",
  find: () => keep(entry, take),
};

/** The path of a promtool that runs here; fetched when there is none. */
export const ensurePromtool = ({ say = sayOnStderr }: { say?: Say } = {}): Promise<string> =>
  search({ server: 'promtool', sources: [installed(program), kept(entry), debian], advice, say });
