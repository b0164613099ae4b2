/** Finds the services that the timers of one systemd manager start, and the times at which they start. */

import type { ImportNote } from '../../../domain/import/import-note.ts'
import { preview } from '../../../domain/schedule/schedule.ts'
import { within } from '../../../lib/text/text.ts'
import { noteOf, type Problem, type ProposalOptions, problemOf, timingProblem } from '../proposal.ts'
import { instanceOf, isTemplate, templateOf, UNIT_NAME_LIMIT } from './names.ts'
import { serviceProblem } from './services.ts'
import { type ReadTimer, readTimer } from './timers.ts'
import type { Unit, Units } from './units.ts'

/** The service that one or more timers start. */
interface TimedService extends Omit<ReadTimer, 'ignored'> {
  /** names of the timers */
  readonly names: string[]
}

interface TimedServices {
  /** services by name */
  readonly services: ReadonlyMap<string, TimedService>
  /** notes about timers that are skipped, and about settings that are ignored */
  readonly notes: readonly ImportNote[]
}

/** @param wanted instances of templates, such as `shop` or `dump@shop` */
export function timedServices(units: Units, options: ProposalOptions, wanted: readonly string[]): TimedServices {
  const services = new Map<string, TimedService>()
  const notes: ImportNote[] = []
  const leaveOut = (name: string, { reason, advice }: Problem) =>
    notes.push(noteOf('left-out', 'timer', name, reason, advice))
  for (const name of timersOf(units, wanted)) {
    const found = findService(name, units, options)
    if ('reason' in found) {
      leaveOut(name, found)
      continue
    }
    const { service, ignored, ...timer } = found
    notes.push(...ignored.map(({ reason, advice }) => noteOf('to-do', 'timer', name, reason, advice)))
    const other = services.get(service)
    const both = other === undefined ? { ...timer, names: [name] } : joined(other, { ...timer, names: [name] })
    if (both === null) leaveOut(name, SECOND_TIMER)
    else services.set(service, both)
  }
  return { services, notes }
}

/** Returns true if a manager has the requested timer instance or its template. */
export function isThere(wanted: string, managers: readonly Units[]): boolean {
  return managers.some((units) =>
    units.timers().some((name) => {
      const template = isTemplate(name) ? name : templateOf(name)
      const instance = template === null ? null : instanceOf(template, wanted)
      return instance !== null && (isTemplate(name) || name === instance)
    }),
  )
}

/** Returns the timers, sorted by name. Templates with a known instance are omitted. */
function timersOf(units: Units, wanted: readonly string[]): readonly string[] {
  const named = units.timers()
  const instances = named
    .filter(isTemplate)
    .flatMap((template) => wanted.map((one) => instanceOf(template, one)).filter((name) => name !== null))
  const used = new Set([...named, ...instances].map(templateOf))
  return [...new Set([...named, ...instances])].filter((name) => !used.has(name)).sort()
}

const TEMPLATE = problemOf('This is a template.', 'Name its running instances, such as dump@shop, and import again.')
const MASKED = problemOf('It is masked: its file is empty, or a link to /dev/null. systemd never starts it.')
const NO_RUN = problemOf('All runs of its OnCalendar= are in the past.')
const SECOND_TIMER = problemOf(
  'Another timer starts its service, too, and one check cannot have both schedules.',
  'Give this timer a service of its own, and import again.',
)
const NOT_STARTED =
  'neither an [Install] section nor another given unit starts the timer at boot: check with `systemctl list-timers` that it runs'
const ONLY_DROP_INS = 'only drop-ins of the timer were given: give its own file as well, which may have other times'

function findService(
  name: string,
  units: Units,
  { zone, now, pingEndpoint }: ProposalOptions,
): (ReadTimer & { readonly service: string }) | Problem {
  const timer = units.get(name)
  if (isTemplate(name)) return TEMPLATE
  if (!timer?.hasSettings) return MASKED
  const service = startedBy(timer)
  const problem = nameProblem(service) ?? serviceProblem(units.get(service), units, pingEndpoint)
  if (problem !== null) return problem
  const found = readTimer(timer, zone)
  if ('reason' in found) return found
  const { timing } = found
  if ('schedule' in timing && preview(timing.schedule, timing.tz, now, 1).length === 0) return NO_RUN
  const isSure = timer.hasOwnFile && units.isStarted(timer)
  return { ...found, service, why: isSure ? found.why : [...found.why, timer.hasOwnFile ? NOT_STARTED : ONLY_DROP_INS] }
}

/** Returns the unit that a timer starts. If the setting has several values, the first valid value is used. */
function startedBy(timer: Unit): string {
  const named = timer.get('Timer.Unit')
  return named.find((unit) => UNIT_NAME.test(unit)) ?? named[0] ?? timer.name.replace(/\.timer$/, '.service')
}

/** Returns why the unit that a timer starts cannot ping, or null if it is a service. */
function nameProblem(unit: string): Problem | null {
  const told = `It starts ${within(unit, UNIT_NAME_LIMIT)}`
  if (unit.includes('%')) return problemOf(`${told}, a name that only the machine itself can complete.`, NAME_IT)
  if (unit.length > UNIT_NAME_LIMIT || !UNIT_NAME.test(unit))
    return problemOf(`${told}, which is not the name of a unit.`, NAME_IT)
  if (!unit.endsWith('.service')) return problemOf(`${told}, and only services can ping.`, TARGET_ADVICE)
  return isTemplate(unit) ? problemOf(`${told}, a template without an instance.`, NAME_IT) : null
}

const UNIT_NAME = /^[\w:.@\\-]+\.[a-z]+$/
const NAME_IT = 'Write the name of the service into Unit=, and import again.'
const TARGET_ADVICE =
  'Let the last service of that unit ping a check, or let the timer start that service, and import again.'

/**
 * Combines two schedules into one schedule with the runs of both. Returns null if a check cannot have that schedule. @param first must not
 * be used afterwards
 */
function joined(first: TimedService, second: TimedService): TimedService | null {
  const [a, b] = [first.timing, second.timing]
  if ('timeout' in a || 'timeout' in b || a.tz !== b.tz) return null
  const lines = [a, b].flatMap(({ schedule }) => schedule.split('\n'))
  const timing = { schedule: [...new Set(lines)].join('\n'), tz: a.tz }
  if (timingProblem(timing) !== null) return null
  // `names` is extended in place, because thousands of timers may start one service.
  first.names.push(...second.names)
  return {
    timing,
    delaySeconds: Math.max(first.delaySeconds, second.delaySeconds),
    isPersistent: first.isPersistent || second.isPersistent,
    why: [...new Set([...first.why, ...second.why])],
    names: first.names,
  }
}
