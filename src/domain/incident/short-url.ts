/** The short URL of an incident, for messages. It reveals neither the project nor the UUID of the check, which is the ping secret. */
import type { Check } from '../check/check.ts'
import type { Links } from '../check/representation.ts'

/** Returns `https://overdue.example.org/i/k3v9x2ab-7`. @param n number of the incident */
export function shortIncidentUrl({ publicId }: Pick<Check, 'publicId'>, n: number, { siteRoot }: Links): string {
  return `${siteRoot}/i/${publicId}-${n}`
}
