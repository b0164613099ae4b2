/** Checks whether a host cannot be reached because of its name. The driver reports an unknown name as a refused connection. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isSocket, type PostgresHost } from '../../../../domain/database-address.ts'
import { codeOf } from '../../../../lib/errors.ts'
import { coded, faultCode, UNFOUND_NAME, UNKNOWN_NAME } from './faults.ts'
import { within } from './timeouts.ts'

const LOOKUP_MS = 1_000
const UNREACHED = /^ERR_POSTGRES_CONNECTION_(?:REFUSED|FAILED|TIMEOUT)$/
/** Codes for DNS answers saying that the name does not exist or has no address. */
const NAME_NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA'])

/** @returns the original connection error, or an error whose code says what is wrong with the name */
export async function withNameFault(
  error: unknown,
  host: PostgresHost,
  find: (name: string) => Promise<unknown> = lookup,
): Promise<unknown> {
  if (isSocket(host) || isIP(host.host) !== 0 || !UNREACHED.test(faultCode(error))) return error
  try {
    await within(LOOKUP_MS, find(host.host))
    return error
  } catch (fault) {
    return NAME_NOT_FOUND.has(codeOf(fault))
      ? coded(UNKNOWN_NAME, 'there is no host of that name')
      : coded(UNFOUND_NAME, 'its name cannot be looked up')
  }
}
