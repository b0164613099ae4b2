/** Proposes checks for timers of systemd, by what their services are able to do. */
import type { ImportNote } from './import-note.ts'
import { isDailyOrRarer, noteOf, type ProposalOptions, Proposals, type ProposedCheck } from './proposal.ts'
import { barrierOf } from './systemd-barriers.ts'
import { byManager } from './systemd-managers.ts'
import { longestRun, remarksOn, statusesHiddenIn, typeOfDaemon } from './systemd-services.ts'
import { isThere, timedServices } from './systemd-timed-services.ts'
import { type Unit, type UnitFile, Units } from './systemd-units.ts'

/** What a drop-in is written for. */
interface PlannedService {
  readonly name: string
  /** where the drop-ins of its manager go */
  readonly folder: string
  /** true: its manager is that of a user */
  readonly isOfUser: boolean
  /** false: units of their own ping for it, after its end */
  readonly pingsInside: boolean
}

export interface TimerPlan {
  readonly checks: readonly ProposedCheck[]
  readonly notes: readonly ImportNote[]
  /** by slug */
  readonly services: ReadonlyMap<string, PlannedService>
}

/**
 * @param files timers and, if they are there, their services, with drop-ins of both
 * @param wanted instances of templates: `shop`, `dump@shop`
 */
export function planTimers(
  files: readonly UnitFile[],
  options: ProposalOptions,
  wanted: readonly string[] = [],
): TimerPlan {
  const proposals = new Proposals(options)
  const checks: ProposedCheck[] = []
  const notes: ImportNote[] = []
  const planned = new Map<string, PlannedService>()
  const managers = byManager(files).map(({ files, ...manager }) => ({ ...manager, units: new Units(files) }))
  for (const { folder, isOfUser, units } of managers) {
    const { services, notes: leftOut } = timedServices(units, options, wanted)
    notes.push(...units.replaced.map(replacedNote), ...leftOut)
    for (const [name, { names, timing, delaySeconds, isPersistent, why }] of services) {
      const service = units.get(name)
      const barrier = service === undefined ? null : barrierOf(service)
      const pingsInside = barrier === null
      const remarks = service === undefined ? [] : remarksOn(service, pingsInside)
      const waitsForMachine = isPersistent && isDailyOrRarer(timing, options.now)
      const check = proposals.add({
        name: name.replace(/\.service$/, ''),
        tags: 'systemd',
        timing,
        isPaused: false,
        place: names.join(', '),
        delaySeconds: delaySeconds + (waitsForMachine ? DAY : 0),
        runSeconds: service === undefined ? 0 : longestRun(service),
        why: [...why, ...(waitsForMachine ? [MISSED] : []), ...remarks],
      })
      checks.push(check)
      planned.set(check.slug, { name, folder, isOfUser, pingsInside })
      notes.push(...serviceNotes(name, service, barrier), ...statusNotes(name, service))
    }
  }
  const units = managers.map(({ units }) => units)
  const missing = wanted.filter((name) => !isThere(name, units))
  notes.push(...missing.map((name) => noteOf('left-out', 'instance', name, NO_TEMPLATE, NO_TEMPLATE_ADVICE)))
  return { checks, notes, services: planned }
}

const DAY = 86_400
const MISSED = 'a run that was missed while the machine was off comes after its start'
const NO_TEMPLATE = 'No file is the template of such a timer.'
const NO_TEMPLATE_ADVICE = 'Give the template as well, such as dump@.timer.'

const replacedNote = ({ path, by }: Units['replaced'][number]) =>
  noteOf('left-out', 'file', path, `Of files with the same name one counts: ${by}.`)

/** @param barrier a sentence */
function serviceNotes(name: string, service: Unit | undefined, barrier: string | null): readonly ImportNote[] {
  if (service === undefined) return [noteOf('to-do', 'service', name, UNKNOWN, 'Give its file as well.')]
  const type = typeOfDaemon(service)
  return [
    ...(barrier === null ? [] : [noteOf('changed', 'service', name, barrier, OUTSIDE)]),
    ...(type === null ? [] : [noteOf('to-do', 'service', name, daemonReason(type), DAEMON_ADVICE)]),
  ]
}

function statusNotes(name: string, service: Unit | undefined): readonly ImportNote[] {
  return service === undefined
    ? []
    : statusesHiddenIn(service).map(({ reason, advice }) => noteOf('to-do', 'service', name, reason, advice))
}
const daemonReason = (type: string) =>
  `A service with Type=${type} mostly stays active, and then the timer starts it only once.`
const DAEMON_ADVICE =
  'See that it ends by itself after each run; otherwise delete its check, and leave out its drop-in.'

const UNKNOWN = 'No file tells of it, so it is not known whether its commands reach the server and find curl.'
const OUTSIDE =
  'So units of their own ping when it has ended, by OnSuccess= and OnFailure= (systemd 249 or later). They tell no start: choose a grace time that is longer than a run.'
