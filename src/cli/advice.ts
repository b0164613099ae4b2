/** What to do about errors of deliveries whose words, shared with Healthchecks, name no setting. */
import { PRIVATE_ADDRESS_REFUSED } from '../domain/delivery.ts'

/** @returns lines to print below the errors; none when there is nothing to say */
export function adviceOn(errors: readonly (string | null)[]): string[] {
  if (!errors.some((error) => error?.includes(PRIVATE_ADDRESS_REFUSED))) return []
  const settings = 'set INTEGRATIONS_ALLOW_PRIVATE_IPS=True for the server, and for `channel test`'
  return [`→ to reach a receiver on your private network, ${settings}; see docs/settings.md`]
}
