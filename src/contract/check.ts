import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { ChangesSchema } from './changes.ts';
import { AttemptSchema, HoldReasonsSchema } from './health.ts';
import { titled } from './records.ts';

/** What would become of files. */
const outcomes = ['loaded', 'unchanged', 'held', 'failed', 'pinned'] as const;
export type CheckOutcome = (typeof outcomes)[number];

/** How many changes and problems the answer to a check lists at most. */
export const MAX_LISTED = 100;

export const CheckSchema = Type.Object(
  {
    outcome: Type.Union(
      outcomes.map(outcome => Type.Literal(outcome)),
      {
        description:
          '`loaded`: the files would go live; `unchanged`: they hold what is live; `held`: they would wait until somebody confirms them; `failed`: they would be refused; `pinned`: they would wait, since a version is pinned',
      },
    ),
    verdict: Type.String({
      description: 'the outcome in a sentence',
      examples: ['These files would go live: 1 price changed.'],
    }),
    version: Type.Union([Type.Null(), Type.String()], {
      description: 'the version that they would be; null with errors',
      examples: ['f3f38172b898'],
    }),
    ...Type.Pick(AttemptSchema, ['errors', 'warnings', 'problems']).properties,
    reasons: HoldReasonsSchema,
    changes: Type.Union([Type.Null(), ChangesSchema], {
      description: `what they would change for visitors, the first ${MAX_LISTED}; null if that is nothing, or not known`,
    }),
  },
  titled('Check'),
);
/** The `data` of `POST /check`. */
export type CheckAnswer = Static<typeof CheckSchema>;
