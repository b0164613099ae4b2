/**
 * Chooses how a systemd service pings: if possible with a wrapper before its command, otherwise with added commands, otherwise with
 * separate units that systemd starts when the service ends.
 */
import type { ImportNote } from '../../../domain/import/import-note.ts'
import type { PingingWay } from '../ping-lines.ts'
import { noteOf } from '../proposal.ts'
import { barrierOf } from './barriers.ts'
import { slicesOf } from './slices.ts'
import type { Unit, Units } from './units.ts'
import { type Wrapped, wrappedBy } from './wrapping.ts'

/**
 * How a service pings: with a wrapper before its command, with added commands, or with separate units that systemd starts when the service
 * ends.
 */
export type ServicePings = Wrapped | 'inside' | 'outside'

interface Way {
  /** `nothing` if no file could make the service ping */
  readonly pings: ServicePings | 'nothing'
  /** notes for the user */
  readonly notes: readonly ImportNote[]
}

/** Returns the name of the template unit that sends the pings for services that cannot send them. */
export const pingUnitOf = (result: 'success' | 'failure') => `overdue-${result}@.service`

/** @param by preferred program for sending pings @param isOfUser true if the service belongs to a user's manager */
export function wayOf(name: string, units: Units, by: PingingWay, isOfUser: boolean): Way {
  const noted = (kind: ImportNote['kind'], reason: string, advice: string) =>
    noteOf(kind, 'service', name, reason, advice)
  const service = units.get(name) ?? units.added(name)
  const slices = slicesOf(service, units, isOfUser)
  const barrier = barrierOf(service, slices.units, isOfUser)
  if (barrier !== null) {
    return isStoppedOutside(service, units, isOfUser)
      ? { pings: 'nothing', notes: [noted('to-do', barrier, NO_WAY)] }
      : { pings: 'outside', notes: [noted('changed', barrier, OUTSIDE)] }
  }
  const notes = [
    ...(service.hasOwnFile ? [] : [noted('to-do', UNREAD, 'Give its file as well.')]),
    ...(slices.unread === null ? [] : [noted('to-do', unreadReason(slices.unread), SLICE_ADVICE)]),
  ]
  if (by === 'curl' || !service.hasOwnFile) return { pings: 'inside', notes }
  const wrapped = wrappedBy(by, service)
  if (typeof wrapped === 'object') return { pings: wrapped, notes }
  return { pings: 'inside', notes: [...notes, noted('changed', wrapped, BY_CURL)] }
}

/**
 * Returns true if separate units could not ping either, because some drop-ins and slices apply to many services, including these units.
 * With the job mode `isolate`, a service may start only one unit, and systemd would then stop all other units.
 */
function isStoppedOutside(service: Unit, units: Units, isOfUser: boolean): boolean {
  const isolates = ['OnSuccessJobMode', 'OnFailureJobMode'].some((name) => service.last(`Unit.${name}`) === 'isolate')
  const pingUnit = units.added(pingUnitOf('success').replace('@', '@check'))
  return isolates || barrierOf(pingUnit, slicesOf(pingUnit, units, isOfUser).units, isOfUser) !== null
}

const UNREAD =
  'The service file was not given, so it is unknown whether its commands can run curl and reach the server.'
const BY_CURL =
  'Therefore, no wrapper runs it: its drop-in pings the start and the exit status by curl, without the output.'
const OUTSIDE =
  'The drop-in therefore starts separate units after the service, by OnSuccess= and OnFailure= (systemd 249 or newer). They cannot ping the start: choose a grace time that is longer than a run.'
const NO_WAY =
  'Separate units by OnSuccess= and OnFailure= could not ping either, so no drop-in is written. Ping the check in another way, or change the settings and import again.'
const unreadReason = (slice: string) =>
  `The file of its slice ${slice} was not given. The limits of a slice also apply to the commands that ping.`
const SLICE_ADVICE = 'Give the file of the slice as well, if there is one.'
