/** Finds the host that accepts writes. The driver supports only one host, and does not recognize a standby. */
import { SQL } from 'bun'
import type { PostgresAddress, PostgresHost } from '../../../../domain/database-address.ts'
import { messageOf } from '../../../../lib/errors.ts'
import { authority } from '../../../../lib/network/network.ts'
import { driverOptions } from './address.ts'
import { coded, faultCode, WAITS_FOR_STANDBY } from './faults.ts'
import { withNameFault } from './host-names.ts'
import { closeWithin, within } from './timeouts.ts'

export const CONNECT_SECONDS = 1
/** Name of this program's connections in pg_stat_activity. */
export const PROGRAM = { application_name: 'overdue' }

/**
 * Queries all hosts at the same time, and returns the first one that accepts writes.
 * @throws Error with one host's code and all hosts' messages
 */
export async function findHost(address: PostgresAddress): Promise<PostgresHost> {
  try {
    return await Promise.any(address.hosts.map((host) => ask(address, host)))
  } catch (error) {
    throw error instanceof AggregateError ? allFailed(address.hosts, error.errors) : error
  }
}

async function ask(address: PostgresAddress, host: PostgresHost): Promise<PostgresHost> {
  try {
    return await acceptsWrites(address, host)
  } catch (error) {
    throw await withNameFault(error, host)
  }
}

interface Standing {
  readonly is_read_only: boolean
  readonly waits_for_standby: boolean
}

/**
 * Selects whether a host accepts writes, and whether any commits are waiting for its standby. Such a commit blocks its connection, perhaps
 * for hours, so a host with waiting commits is not used. Waits of less than a second are ignored, because they are normal with a standby.
 */
const HOST_STATE = `
  SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only,
    EXISTS (SELECT 1 FROM pg_stat_activity WHERE usename = current_user
      AND wait_event = 'SyncRep' AND query_start < clock_timestamp() - INTERVAL '1 second') AS waits_for_standby`

/**
 * @returns the host
 * @throws the error from PostgreSQL or the driver; an error with a code if the host does not accept writes
 */
export async function acceptsWrites(address: PostgresAddress, host: PostgresHost): Promise<PostgresHost> {
  const options = { ...driverOptions(address, host), max: 1, connectionTimeout: CONNECT_SECONDS, connection: PROGRAM }
  const sql = new SQL(options)
  try {
    const [row]: Standing[] = await within(CONNECT_SECONDS * 1_000, sql.unsafe(HOST_STATE))
    if (row?.is_read_only) throw coded('25006', 'it is read only')
    if (row?.waits_for_standby) throw coded(WAITS_FOR_STANDBY, 'commits wait')
    return host
  } finally {
    void closeWithin(sql, 0)
  }
}

function allFailed(hosts: readonly PostgresHost[], errors: readonly unknown[]): Error {
  const told = errors.map((error, index) => {
    const host = hosts[index]
    return host ? `${authority(host.host, host.port)}: ${messageOf(error)}` : messageOf(error)
  })
  // Prefers the error of a host that is waiting for its standby, then the error of any other host that answers. These errors are more
  // useful than those of a host that is down.
  const waiting = errors.find((error) => faultCode(error) === WAITS_FOR_STANDBY)
  const telling = waiting ?? errors.find((error) => /^\w{5}$/.test(faultCode(error))) ?? errors[0]
  return coded(faultCode(telling), told.join('; '))
}
