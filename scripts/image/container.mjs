// Runs programs of an unpacked image as a container engine would: a root that is read-only, a user that is not root, no new privileges, process
// numbers of their own. The network is that of this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** In a mount namespace of its own. The first arguments are the root, the folder, user and group. */
const script = `
set -e
root=$1 folder=$2 user=$3 group=$4
shift 4
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc -o ro,nosuid,nodev,noexec proc "$root/proc"
mount -o remount,bind,ro,nosuid,nodev "$root"
exec setpriv --no-new-privs --clear-groups unshare --root="$root" --wd="$folder" --setgid "$group" --setuid "$user" "$@"`;

const spawnIn = ({ folder, config, env = {} }, command) => {
  const [user, group] = config.User.split(':');
  const own = Object.fromEntries(config.Env.map((text) => text.split(/=(.*)/s)));
  return spawn(
    '/usr/bin/unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '/bin/sh',
      '-c',
      script,
      'sh',
      folder,
      config.WorkingDir,
      user,
      group,
      ...command,
    ],
    { env: { ...own, ...env }, stdio: 'pipe' },
  );
};

const outputOf = (child) => {
  const said = { text: '', out: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said.text += data;
      if (stream === child.stdout) said.out += data;
    });
  return said;
};

/** Runs a program to its end; `input` is what it reads. */
export const run = async (image, command, input = '') => {
  const child = spawnIn(image, command);
  // It may end before it has read.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const said = outputOf(child);
  const [code] = await once(child, 'close');
  return { code, out: said.out, output: said.text };
};

/** The first process of the container: `unshare` keeps signals from it. */
const firstOf = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());

/** Starts a program that goes on. */
export const start = (image, command) => {
  const child = spawnIn(image, command);
  const said = outputOf(child);
  const ended = once(child, 'close').then(([code]) => code);
  return {
    ended,
    said,
    isRunning: () => child.exitCode === null,
    /** SIGTERM, as an engine sends it. Resolves to the exit code. */
    stop() {
      if (child.exitCode === null) process.kill(firstOf(child.pid), 'SIGTERM');
      return ended;
    },
    kill: () => child.kill('SIGKILL'),
  };
};
