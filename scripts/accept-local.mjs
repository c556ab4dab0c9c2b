// The overlay for a laptop on a fresh server.

const folder = 'k8s/overlays/local';
const local = ['-k', folder];

const objectsOf = (rendered) => rendered.find((rendering) => rendering.folder === folder).objects;

const storedVersions = '{range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';

/** As a newcomer does it, on a fresh server; the same command again changes nothing that is stored. */
export const applyLocal = async ({ must }, rendered) => {
  await must('apply', ...local);
  const stored = await must('get', ...local, '-o', `jsonpath=${storedVersions}`);
  await must('apply', ...local);
  const again = await must('get', ...local, '-o', `jsonpath=${storedVersions}`);
  if (again !== stored) throw new Error(`applied again, it changes:\n${stored}\n${again}`);
  const count = stored.trim().split('\n').length;
  if (count !== objectsOf(rendered).length) throw new Error(`stored are ${count} objects:\n${stored}`);
  return count;
};

/** Else dry runs would be judged as changes of these. Nobody here finishes the removal of a namespace. */
export const removeLocal = async ({ must, fileOf }, rendered) => {
  const objects = objectsOf(rendered).filter(({ kind }) => kind !== 'Namespace');
  await must('delete', '-f', fileOf(objects));
};
