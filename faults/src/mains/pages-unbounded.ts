// Pages on which a form that never comes keeps its place, and whose head is searched for again and again.
import { roomForForms, searchForHead, startPages, waitForForm } from '@roster/messaging-service';
import { run } from '@roster/runtime';

const instead = { bounds: roomForForms, readForm: waitForForm, withHead: searchForHead };

await run('pages', (context) => startPages(context, instead));
