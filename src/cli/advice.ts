/** Explains delivery errors. The errors have the same text as in Healthchecks, so they do not mention settings of Overdue. */
import { PRIVATE_ADDRESS_REFUSED } from '../domain/alert/delivery.ts'

/** @returns lines to print below the errors */
export function adviceOn(errors: readonly (string | null)[]): string[] {
  if (!errors.some((error) => error?.includes(PRIVATE_ADDRESS_REFUSED))) return []
  const settings = 'set INTEGRATIONS_ALLOW_PRIVATE_IPS=True for the server, and for `channel test`'
  return [`→ to allow receivers on your private network, ${settings}; see docs/settings.md`]
}

/** Returns the same advice for test messages. A test message is sent with the settings of the command, not of the server. */
export function adviceOnTest(errors: readonly (string | null)[]): string[] {
  const advice = adviceOn(errors)
  return advice.length === 0
    ? []
    : ['This command refused the address. The status of the channel is unchanged.', ...advice]
}
