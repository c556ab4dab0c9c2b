// What the last stage of the Dockerfile says about the image, as its configuration in the form of OCI.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';

const second = 1_000_000_000;

/** Instructions of the last stage, long lines joined, comments left out. */
const lastStage = () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const from = lines.findLastIndex((line) => line.startsWith('FROM '));
  return lines.slice(from).map((line) => {
    const [, instruction = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return { instruction, rest: rest.trim() };
  });
};

/** `NAME=value NAME="a value"`. */
const pairs = (text) =>
  [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [
    name,
    quoted ?? plain,
  ]);

const healthcheck = (text) => {
  const [options, command] = text.split(/\s+CMD\s+/);
  const given = Object.fromEntries(
    [...options.matchAll(/--([\w-]+)=(\d+)/g)].map(([, name, n]) => [name, Number(n)]),
  );
  return {
    Test: ['CMD', ...JSON.parse(command)],
    Interval: given.interval * second,
    Timeout: given.timeout * second,
    StartPeriod: given['start-period'] * second,
    Retries: given.retries,
  };
};

const members = {
  USER: (text) => ({ User: text }),
  WORKDIR: (text) => ({ WorkingDir: text }),
  CMD: (text) => ({ Cmd: JSON.parse(text) }),
  HEALTHCHECK: (text) => ({ Healthcheck: healthcheck(text) }),
  ENV: (text) => ({ Env: pairs(text).map(([name, value]) => `${name}=${value}`) }),
  LABEL: (text) => ({ Labels: Object.fromEntries(pairs(text)) }),
  EXPOSE: (text) => ({
    ExposedPorts: Object.fromEntries(text.split(/\s+/).map((port) => [`${port}/tcp`, {}])),
  }),
};

/** Their effects are files, which scripts/image.mjs makes by the same scripts. */
const ofFiles = new Set(['FROM', 'COPY']);

export const imageConfig = () => {
  const found = {};
  for (const { instruction, rest } of lastStage()) {
    if (ofFiles.has(instruction)) continue;
    const member = members[instruction];
    if (!member)
      throw new Error(
        `Dockerfile: scripts/image/dockerfile.mjs does not know ${instruction} in the last stage`,
      );
    Object.assign(found, member(rest));
  }
  return found;
};
