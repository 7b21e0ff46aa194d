/** An answer as the scripts see it. */
import type { RefinedResponse } from 'k6/http';

export type Answer = RefinedResponse<'text'>;
export type Checks = Record<string, (answer: Answer) => boolean>;
