/** What a server has open, but for the connections that its clients keep: how many those are is up to the clients. Linux only. */
import { readFileSync } from 'node:fs'
import { descriptorsOf } from '../../bench/support/process-figures.ts'

/** In `/proc/net/tcp`. What a client has closed and the server has not is in another state, and counts. */
const ESTABLISHED = '01'

/** @param port that the server listens on, over IPv4 */
export function openDescriptors(pid: number, port: number): number {
  const connections = establishedAt(readFileSync(`/proc/${pid}/net/tcp`, 'latin1'), port)
  return descriptorsOf(pid) - connections
}

/** @param table as `/proc/net/tcp`: each line has a number, the local and the remote address in hexadecimal, and the state */
export function establishedAt(table: string, port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table.split('\n').filter((line) => {
    const [, address = '', , state] = line.trim().split(/\s+/)
    return address.endsWith(local) && state === ESTABLISHED
  }).length
}
