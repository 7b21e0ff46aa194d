/** The context extension, `ext.service`: signals of the conversation, never of the user's identity. */
import type { ContextSignals } from '../bid-request.ts';
import { list } from './list.ts';
import { boolean, integer, number, object, oneOf, string, text } from './rules.ts';

const texts = () => list(text());
const count = () => integer().min(0);
const fraction = () => number().min(0).max(1);

export const context = object<ContextSignals>({
  messageSequenceNumber: integer().min(1).required(),
  messageLength: count().required(),
  isQuickReply: boolean().required(),
  userThinkTimeMs: count(),
  sessionDurationMs: count().required(),
  intent: object({
    value: string().required(),
    confidence: fraction().required(),
    topics: texts().required(),
    signals: texts().required(),
  }),
  sentiment: object({
    value: string()
      .custom(oneOf('positive', 'neutral', 'negative'))
      .required(),
    score: number().min(-1).max(1).required(),
  }),
  funnel: object({
    stage: string()
      .custom(oneOf('awareness', 'consideration', 'intent', 'conversion'))
      .required(),
    progress: fraction().required(),
  }),
  audience: object({ interests: texts(), behaviors: texts() }),
});
