/** The script of the thread in which patterns are matched. */
import { serve } from '@roster/threads';
import { answer } from './test-people.ts';

serve(answer);
