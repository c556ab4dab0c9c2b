/** The script of the thread in which emails are made. */
import { serve } from '@roster/threads';
import { compose } from './compose.ts';

serve(compose);
