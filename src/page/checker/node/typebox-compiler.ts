import type { TObject } from '@sinclair/typebox';
import { Check } from '@sinclair/typebox/value';

/**
 * As the compiler of TypeBox, for rows of plain values. That one makes functions from text, which the policy of the page
 * forbids.
 */
export const TypeCompiler = {
  Compile: (schema: TObject) => ({
    Check: (row: unknown) => Check(schema, row),
    /** Only the paths of errors. */
    *Errors(row: Readonly<Record<string, unknown>>) {
      const isMissing = (name: string) => row[name] === undefined && !schema.required?.includes(name);
      for (const [name, column] of Object.entries(schema.properties))
        if (!isMissing(name) && !Check(column, row[name])) yield { path: `/${name}` };
    },
  }),
};
