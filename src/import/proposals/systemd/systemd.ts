/** Proposes checks for systemd timers. */
import type { ImportNote } from '../../../domain/import/import-note.ts'
import type { PingingWay } from '../ping-lines.ts'
import { isDailyOrRarer, noteOf, type ProposalOptions, Proposals, type ProposedCheck, problemOf } from '../proposal.ts'
import { byManager } from './managers.ts'
import { readableName } from './names.ts'
import { longestRun, remarksOn, statusesHiddenIn, typeOfDaemon } from './services.ts'
import { isThere, timedServices } from './timed-services.ts'
import { type Unit, type UnitFile, Units } from './units.ts'
import { type ServicePings, wayOf } from './ways.ts'

/** A service that gets a drop-in. */
interface PlannedService {
  readonly name: string
  /** directory for the service manager's drop-ins */
  readonly folder: string
  /** true if the service belongs to a user's manager */
  readonly isOfUser: boolean
  readonly pings: ServicePings
}

export interface TimerPlan {
  readonly checks: readonly ProposedCheck[]
  readonly notes: readonly ImportNote[]
  /** services by slug */
  readonly services: ReadonlyMap<string, PlannedService>
}

/** Data about units that is not in the unit files. */
interface Hints {
  /** running instances of templates, such as `shop` or `dump@shop` */
  readonly instances?: readonly string[]
  /** names of units that have links in directories such as `timers.target.wants` */
  readonly linked?: Iterable<string>
}

interface TimerOptions extends ProposalOptions {
  /** preferred program for sending pings */
  readonly by: PingingWay
}

/** @param files unit files of timers and, if available, of their services and slices, and their drop-ins */
export function planTimers(
  files: readonly UnitFile[],
  options: TimerOptions,
  { instances = [], linked = [] }: Hints = {},
): TimerPlan {
  const proposals = new Proposals(options)
  const checks: ProposedCheck[] = []
  const notes: ImportNote[] = []
  const planned = new Map<string, PlannedService>()
  const managers = byManager(files).map(({ files, ...manager }) => ({ ...manager, units: new Units(files, linked) }))
  for (const { folder, isOfUser, units } of managers) {
    const { services, notes: leftOut } = timedServices(units, options, instances)
    notes.push(...units.replaced.map(replacedNote), ...leftOut)
    for (const [name, { names, timing, delaySeconds, isPersistent, why }] of services) {
      const service = units.get(name)
      const { pings, notes: ofWay } = wayOf(name, units, options.by, isOfUser)
      const remarks = service === undefined ? [] : remarksOn(service, typeof pings === 'object' ? 'wrapper' : pings)
      const waitsForMachine = isPersistent && isDailyOrRarer(timing, options.now)
      const check = proposals.add({
        name: readableName(name),
        tags: 'systemd',
        timing,
        isPaused: false,
        place: names.join(', '),
        delaySeconds: delaySeconds + (waitsForMachine ? DAY : 0),
        runSeconds: service === undefined ? 0 : longestRun(service),
        why: [...why, ...(waitsForMachine ? [MISSED] : []), ...remarks],
      })
      checks.push(check)
      if (pings !== 'nothing') planned.set(check.slug, { name, folder, isOfUser, pings })
      notes.push(...ofWay, ...(service === undefined ? [] : serviceNotes(name, service)))
    }
  }
  const units = managers.map(({ units }) => units)
  const missing = instances.filter((name) => !isThere(name, units))
  notes.push(...missing.map((name) => noteOf('left-out', 'instance', name, NO_TEMPLATE, NO_TEMPLATE_ADVICE)))
  return { checks, notes, services: planned }
}

const DAY = 86_400
const MISSED = 'systemd catches up on runs that were missed while the machine was off'
const NO_TEMPLATE = 'None of the files is the template of this instance.'
const NO_TEMPLATE_ADVICE = 'Give the template as well, such as dump@.timer.'

const replacedNote = ({ path, by }: Units['replaced'][number]) =>
  noteOf('left-out', 'file', path, `Another file of the same name takes precedence: ${by}.`)

function serviceNotes(name: string, service: Unit): readonly ImportNote[] {
  const type = typeOfDaemon(service)
  const problems = [
    ...(type === null ? [] : [problemOf(daemonReason(type), DAEMON_ADVICE)]),
    ...statusesHiddenIn(service),
  ]
  return problems.map(({ reason, advice }) => noteOf('to-do', 'service', name, reason, advice))
}

const daemonReason = (type: string) =>
  `A service with Type=${type} usually stays active after its start, so the timer would start it only once.`
const DAEMON_ADVICE = 'If it does not end after each run, delete its check and skip its drop-in.'
