/**
 * Checks whether a host cannot be reached because of its name. The driver reports a name that it does not find as a refused connection.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isSocket, type PostgresHost } from '../../../../domain/database-address.ts'
import { codeOf } from '../../../../lib/errors.ts'
import { coded, faultCode, UNFOUND_NAME, UNKNOWN_NAME } from './faults.ts'
import { within } from './timeouts.ts'

const LOOKUP_MS = 1_000
const UNREACHED = /^ERR_POSTGRES_CONNECTION_(?:REFUSED|FAILED|TIMEOUT)$/
/** Codes of a name server's answer that there is no such name, or no address of it. */
const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA'])

/** @returns the error with which the connection failed, or one whose code describes the problem of the name */
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
    return NOT_THERE.has(codeOf(fault))
      ? coded(UNKNOWN_NAME, 'there is no host of that name')
      : coded(UNFOUND_NAME, 'its name cannot be looked up')
  }
}
