// Every rendered object by server-side dry run.
export const typeOf = ({ apiVersion, kind }) => `${apiVersion} ${kind}`;

const manager = ['--server-side', '--field-manager=accept', '--force-conflicts'];

/** An unknown field is an error, and so is a warning: of a deprecated version, or of a pod that the namespace would not admit. */
export const dryRun = ({ run, fileOf }, objects) => {
  const strictly = ['--dry-run=server', '--validate=strict', '--warnings-as-errors'];
  return run('apply', ...manager, ...strictly, '-f', fileOf(objects));
};

/** A dry run stores nothing, but an object needs its namespace, and is judged by its labels. */
const makeNamespaces = async ({ must, fileOf }, objects) => {
  const namespaces = objects.filter(({ kind }) => kind === 'Namespace');
  if (namespaces.length > 0) await must('apply', ...manager, '-f', fileOf(namespaces));
};

/** How many were accepted; that one is refused is an error. */
export const acceptObjects = async (commands, { folder, objects }) => {
  await makeNamespaces(commands, objects);
  const { code, output } = await dryRun(commands, objects);
  const lines = output.trim().split('\n');
  const accepted = lines.filter((line) => line.endsWith(' serverside-applied (server dry run)')).length;
  if (code !== 0 || accepted !== objects.length) throw new Error(`${folder} is refused:\n${output.trim()}`);
  return accepted;
};
