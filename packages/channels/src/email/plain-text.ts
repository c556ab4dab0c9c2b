/** The text that stands beside the HTML of an email, where its sender gives none. */
import { compile } from 'html-to-text';

export const plainTextOf = compile({ wordwrap: 100 });
