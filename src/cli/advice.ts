/** What to do about errors of deliveries whose words, shared with Healthchecks, name no setting. */
import { PRIVATE_ADDRESS_REFUSED } from '../domain/delivery.ts'

/** @returns a line to print below the errors, with the line end before it; empty when there is nothing to say */
export function adviceOn(errors: readonly (string | null)[]): string {
  if (!errors.some((error) => error?.includes(PRIVATE_ADDRESS_REFUSED))) return ''
  return '\n→ for a receiver on a network of your own, set INTEGRATIONS_ALLOW_PRIVATE_IPS=True for the server, and for `channel test`; see docs/settings.md'
}
