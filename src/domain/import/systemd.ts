/** Proposes checks for timers of systemd, and writes drop-ins for their services that ping. */
import type { ImportNote } from './import-note.ts'
import { endPing, startPing } from './ping-lines.ts'
import { seemsToPing } from './pinging-already.ts'
import {
  noteOf,
  type ProposalOptions,
  Proposals,
  type ProposedCheck,
  type ProposedTiming,
  timingProblem,
} from './proposal.ts'
import { readSpanOfSystemd, readUnits, type Unit, type UnitFile } from './systemd-units.ts'

interface TimerPlan {
  readonly checks: readonly ProposedCheck[]
  readonly notes: readonly ImportNote[]
  /** by slug */
  readonly services: ReadonlyMap<string, string>
}

/** A file to add. */
export interface DropIn {
  readonly path: string
  readonly text: string
}

/** What one or more timers start. */
interface TimedService extends ReadTimer {
  /** of the timers */
  readonly names: string[]
}

/** @param files timers and, if they are there, their services, with drop-ins of both */
export function planTimers(files: readonly UnitFile[], options: ProposalOptions): TimerPlan {
  const { units, replaced } = readUnits(files)
  const notes: ImportNote[] = replaced.map(({ path, by }) =>
    noteOf('left-out', 'file', path, `Of files with the same name one counts: ${by}.`),
  )
  const timed = new Map<string, TimedService>()
  for (const [name, unit] of units) {
    if (!name.endsWith('.timer')) continue
    const service = unit.get('Timer.Unit')?.at(-1) ?? name.replace(/\.timer$/, '.service')
    const found = unitProblem(name, unit, service, units.get(service)) ?? readTimer(unit, options.zone)
    if (typeof found === 'string') {
      notes.push(noteOf('left-out', 'timer', name, found))
      continue
    }
    const other = timed.get(service)
    const both = other === undefined ? { ...found, names: [name] } : joined(other, { ...found, names: [name] })
    if (both === null) notes.push(noteOf('left-out', 'timer', name, SECOND_TIMER, SECOND_TIMER_ADVICE))
    else timed.set(service, both)
  }
  const proposals = new Proposals(options)
  const checks: ProposedCheck[] = []
  const services = new Map<string, string>()
  for (const [service, { names, ...found }] of timed) {
    const base = service.replace(/\.service$/, '')
    const check = proposals.add({ name: base, tags: 'systemd', isPaused: false, place: names.join(', '), ...found })
    checks.push(check)
    services.set(check.slug, service)
  }
  return { checks, notes, services }
}

const SECOND_TIMER = 'Another timer starts its service, too, and both do not fit into the one schedule of a check.'
const SECOND_TIMER_ADVICE = 'Give this timer a service of its own, and import again.'

/** One schedule that has the runs of both; null: a check cannot have it. @param first is not used afterwards */
function joined(first: TimedService, second: TimedService): TimedService | null {
  const [a, b] = [first.timing, second.timing]
  if ('timeout' in a || 'timeout' in b || a.tz !== b.tz) return null
  const lines = [a, b].flatMap(({ schedule }) => schedule.split('\n'))
  const timing = { schedule: [...new Set(lines)].join('\n'), tz: a.tz }
  if (timingProblem(timing) !== null) return null
  // Thousands of timers may start one service.
  first.names.push(...second.names)
  return {
    timing,
    delaySeconds: Math.max(first.delaySeconds, second.delaySeconds),
    why: [...new Set([...first.why, ...second.why])],
    names: first.names,
  }
}

const UNIT = /^[\w:.@\\-]+\.service$/

function unitProblem(timer: string, { size }: Unit, service: string, started: Unit | undefined): string | null {
  if (size === 0) return 'Its file has no settings, so systemd does not start it.'
  if (/@\.timer$/.test(timer))
    return 'This is a template. Import the timers that are made of it, as `systemctl cat` prints them.'
  if (!UNIT.test(service) || /@\.service$/.test(service)) return 'What it starts is no service whose name is known.'
  const commands = [...(started?.get('Service.ExecStart') ?? []), ...(started?.get('Service.ExecStopPost') ?? [])]
  return commands.some(seemsToPing) ? 'Its service pings a check already.' : null
}

interface ReadTimer {
  readonly timing: ProposedTiming
  readonly delaySeconds: number
  readonly why: readonly string[]
}

/** A problem is a sentence. */
function readTimer(unit: Unit, zone: string): ReadTimer | string {
  const calendar = unit.get('Timer.OnCalendar') ?? []
  const timing = calendar.length > 0 ? { schedule: calendar.join('\n'), tz: zone } : periodOf(unit)
  if (typeof timing === 'string') return timing
  const problem = timingProblem(timing)
  if (problem !== null) return problem
  const delays = DELAYS.map(([name, usual]) => spanOf(unit, name) ?? usual)
  const isAlsoPeriodic = calendar.length > 0 && typeof periodOf(unit) !== 'string'
  return {
    timing,
    delaySeconds: Math.ceil(delays.reduce((sum, delay) => sum + delay, 0)),
    why: [
      ...(isAlsoPeriodic ? ['the runs by OnUnitActiveSec come on top of the schedule'] : []),
      ...(unit.get('Timer.Persistent')?.at(-1) === 'true'
        ? ['a run that was missed while the machine was off comes after its start']
        : []),
    ],
  }
}

/** With the defaults of systemd.timer(5), in seconds. */
const DELAYS = [
  ['AccuracySec', 60],
  ['RandomizedDelaySec', 0],
  ['RandomizedOffsetSec', 0],
] as const

function periodOf(unit: Unit): { readonly timeout: number } | string {
  for (const name of ['OnUnitActiveSec', 'OnUnitInactiveSec']) {
    const span = spanOf(unit, name)
    if (span !== null) return { timeout: Math.round(span) }
  }
  return 'It starts its service once after the machine or systemd has started, so no time can be expected.'
}

function spanOf(unit: Unit, name: string): number | null {
  const text = unit.get(`Timer.${name}`)?.at(-1)
  return text === undefined ? null : readSpanOfSystemd(text)
}

/** What is added for each check. @param urlOf the ping URL of the check with a slug */
export function writeDropIns({ services }: TimerPlan, urlOf: (slug: string) => string): readonly DropIn[] {
  return [...services].map(([slug, service]) => ({
    path: `/etc/systemd/system/${service}.d/overdue.conf`,
    text: `[Service]\nExecStartPre=-/bin/sh -c ${quoted(startPing(urlOf(slug)))}\nExecStopPost=-/bin/sh -c ${quoted(stopCommand(urlOf(slug)))}\n`,
  }))
}

/**
 * Tells the exit status, or a failure if a signal or a time limit ended the job, or it could not begin; nothing when a condition of
 * the unit kept it from running (systemd.exec(5), `$SERVICE_RESULT`).
 */
function stopCommand(url: string): string {
  const judge =
    'case "$SERVICE_RESULT:$EXIT_STATUS" in success:*) s=0;; exec-condition:*) exit 0;; exit-code:[0-9]*) s=$EXIT_STATUS;; *) s=fail;; esac'
  return `${judge}; ${endPing(url, '/$s')}`
}

/** One argument of a command line in a unit: systemd.service(5) reads `$` and `%` itself, also within quotes. */
function quoted(command: string): string {
  const escaped = command.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('%', '%%').replaceAll('$', '$$$$')
  return `'${escaped}'`
}
