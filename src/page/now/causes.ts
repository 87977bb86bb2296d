import type { Health } from '../../contract/health.ts';
import { formatExtent, formatPlace } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';

export type Problem = NonNullable<Health['last_attempt']>['problems'][number];

/** What is wrong in the same way: a message, and the places that it is about. */
export interface Finding {
  message: string;
  places: string[];
}

/** The problems with one code. */
export interface Cause {
  code: string;
  severity: Problem['severity'];
  findings: Finding[];
}

/** The problems by their code, in the order of the first of each; equal messages are one. */
export function causesOf(problems: readonly Problem[]): Cause[] {
  const causes = new Map<string, Cause>();
  const findings = new Map<string, Finding>();
  for (const problem of problems) {
    const { code, severity, message } = problem;
    const cause: Cause = causes.get(code) ?? { code, severity, findings: [] };
    causes.set(code, cause);
    const key = `${code} ${message}`;
    const known = findings.get(key);
    const finding = known ?? { message, places: [] };
    if (!known) cause.findings.push(finding);
    findings.set(key, finding);
    finding.places.push(placesOf(problem));
  }
  return [...causes.values()];
}

/** A finding as a line of text, for mails and chats. */
export function lineOf({ message, places }: Finding, { code, severity }: Cause): string {
  return `${places.join('; ')}: ${message} (${texts.severity[severity]} ${code})`;
}

function placesOf(problem: Problem): string {
  const extent = formatExtent(problem);
  return problem.also ? `${extent} ${texts.also(formatPlace(problem.also))}` : extent;
}
