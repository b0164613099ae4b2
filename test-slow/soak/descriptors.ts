/** Open files and sockets of a server, without the connections that its clients keep alive. Linux only. */
import { readFileSync } from 'node:fs'
import { descriptorsOf } from '../../bench/support/process-figures.ts'

/** State of a connection in `/proc/net/tcp`. A connection that only the client has closed is in another state, and counts. */
const ESTABLISHED = '01'

/** @param port the server's port, over IPv4 */
export function openDescriptors(pid: number, port: number): number {
  const connections = establishedAt(readFileSync(`/proc/${pid}/net/tcp`, 'latin1'), port)
  return descriptorsOf(pid) - connections
}

/** @param table in the form of `/proc/net/tcp`: a number, the local and the remote address in hexadecimal, the state */
export function establishedAt(table: string, port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table.split('\n').filter((line) => {
    const [, address = '', , state] = line.trim().split(/\s+/)
    return address.endsWith(local) && state === ESTABLISHED
  }).length
}
