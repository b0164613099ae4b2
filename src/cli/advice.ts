/** Explains delivery errors. The error texts are the same as in Healthchecks, so they do not mention Overdue's settings. */
import { PRIVATE_ADDRESS_REFUSED } from '../domain/alert/delivery.ts'

/** @returns lines to print below the errors */
export function adviceOn(errors: readonly (string | null)[]): string[] {
  if (!errors.some((error) => error?.includes(PRIVATE_ADDRESS_REFUSED))) return []
  const settings = 'set INTEGRATIONS_ALLOW_PRIVATE_IPS=True for the server, and for `channel test`'
  return [`→ to allow receivers on your private network, ${settings}; see docs/settings.md`]
}

/** Returns advice on the errors of test messages. A test message is sent with the command's settings, not the server's. */
export function adviceOnTest(errors: readonly (string | null)[]): string[] {
  const advice = adviceOn(errors)
  return advice.length === 0
    ? []
    : ['This command refused the address. The status of the channel is unchanged.', ...advice]
}
