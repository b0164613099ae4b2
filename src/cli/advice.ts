/** Advice on errors of deliveries: their texts are those of Healthchecks and name no setting. */
import { PRIVATE_ADDRESS_REFUSED } from '../domain/alert/delivery.ts'

/** @returns lines to print below the errors */
export function adviceOn(errors: readonly (string | null)[]): string[] {
  if (!errors.some((error) => error?.includes(PRIVATE_ADDRESS_REFUSED))) return []
  const settings = 'set INTEGRATIONS_ALLOW_PRIVATE_IPS=True for the server, and for `channel test`'
  return [`→ to reach a receiver on your private network, ${settings}; see docs/settings.md`]
}

/** Returns the same advice for tests, which are sent with the settings of the command. */
export function adviceOnTest(errors: readonly (string | null)[]): string[] {
  const advice = adviceOn(errors)
  return advice.length === 0
    ? []
    : ['This command refused the address. The status of the channel is unchanged.', ...advice]
}
