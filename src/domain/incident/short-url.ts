/** An incident's short URL, for use in messages. It reveals neither the project nor the check's UUID, which is the ping secret. */
import type { Check } from '../check/check.ts'
import type { Links } from '../check/representation.ts'

/**
 * Returns a URL such as `https://overdue.example.org/i/k3v9x2ab-7`.
 * @param n the incident's number
 */
export function shortIncidentUrl({ publicId }: Pick<Check, 'publicId'>, n: number, { siteRoot }: Links): string {
  return `${siteRoot}/i/${publicId}-${n}`
}
