/** Reads the relevant settings of the service that a systemd timer starts (systemd.service(5)). */
import { begunBy } from '../command/begun-command.ts'
import { statusesHiddenBy } from '../command/exit-status.ts'
import type { HiddenStatus } from '../command/hidden-status.ts'
import { limitOfRun } from '../command/run-limit.ts'
import { shellCommands } from '../command/shell-commands.ts'
import { PINGS_ALREADY, seemsToPingHere } from '../pinging-already.ts'
import { type Problem, problemOf } from '../proposal.ts'
import { readSpanOfSystemd } from '../span.ts'
import type { Unit, Units } from './units.ts'

/**
 * Returns why no check is proposed for the service, or null if a check is proposed.
 * @param service undefined if no file describes the service
 * @param pingEndpoint this server's ping endpoint
 */
export function serviceProblem(service: Unit | undefined, units: Units, pingEndpoint: string): Problem | null {
  if (service === undefined) return null
  if (!service.hasSettings) return SERVICE_MASKED
  if (pingsAlready(service, units, pingEndpoint)) return problemOf(PINGS_ALREADY)
  const restart = service.last('Service.Restart') ?? ''
  const startsAgain = /^(?:always|on-success)$/.test(restart)
  if (startsAgain && isOneShot(service))
    return problemOf(`systemd rejects Restart=${restart} with Type=oneshot, so its service does not run.`, REMOVE)
  if (startsAgain)
    return problemOf(
      `With Restart=${restart}, its service starts again whenever it ends, so its runs do not follow the timer.`,
      REMOVE,
    )
  return service.isOn('Service.RemainAfterExit') ? STAYS_ACTIVE : null
}

const REMOVE = 'Remove that setting if it is not needed, and import again.'
const SERVICE_MASKED = problemOf('Its service is masked: its file is empty, or a link to /dev/null.')
const STAYS_ACTIVE = problemOf(
  'With RemainAfterExit=, its service stays active after its first run, so the timer starts it only once.',
  REMOVE,
)

const isOneShot = (service: Unit) => service.last('Service.Type') === 'oneshot'

/** Returns the service's type if services of this type usually keep running, otherwise null. */
export function typeOfDaemon(service: Unit): string | null {
  const type = service.last('Service.Type') ?? ''
  return /^(?:forking|notify|notify-reload|dbus)$/.test(type) ? type : null
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** Returns true if the service already pings, with its commands, its variables, or the units that it starts when it ends. */
function pingsAlready(service: Unit, units: Units, pingEndpoint: string): boolean {
  const started = ['Unit.OnSuccess', 'Unit.OnFailure'].flatMap((key) => service.get(key).join(' ').split(/\s+/))
  if (started.some((name) => UUID.test(name))) return true
  const texts = [service, ...started.map((name) => units.get(name))].flatMap((unit) => unit?.textsOf('Service') ?? [])
  return texts.some((text) => seemsToPingHere(text, pingEndpoint))
}

/**
 * Returns the longest duration of a run, in seconds; 0 if neither its files nor its commands set a limit. The start limit applies to a
 * oneshot service, and systemd counts it separately for each command.
 */
export function longestRun(service: Unit): number {
  const [setting, commands] = isOneShot(service)
    ? ['TimeoutStartSec', service.get('Service.ExecStart').length]
    : ['RuntimeMaxSec', 1]
  const limit = Math.ceil(readSpanOfSystemd(service.last(`Service.${setting}`) ?? '') ?? 0) * commands
  return limit || commandsOf(service).reduce((sum, words) => sum + Math.ceil(limitOfRun(begunBy(words))), 0)
}

/**
 * Returns remarks on the service's pings, as sentences without the final full stop. @param by how the service pings: with a wrapper, with
 * added commands, or with separate units
 */
export function remarksOn(service: Unit, by: 'wrapper' | 'inside' | 'outside' | 'nothing'): readonly string[] {
  const isHidden = by !== 'wrapper' && service.get('Service.ExecStart').some(ignoresFailure)
  const conditions = conditionsOf(service)
  return [
    ...(isHidden ? ['the - before its command hides failures, so the check shows a success'] : []),
    ...((by === 'wrapper' || by === 'inside') && mayRestart(service) ? [RESTARTS] : []),
    ...(by === 'inside' && mayFail(service, 'ExecStopPost') ? [FAILS_AFTER] : []),
    ...(by === 'wrapper' && mayFail(service, 'ExecStartPre') ? [FAILS_BEFORE] : []),
    ...(conditions === '' ? [] : [`a run skipped by ${conditions} does not ping, so the check goes down`]),
  ]
}

const RESTARTS = 'Restart= runs it again after a failure, and each attempt pings its start and its result'
const FAILS_BEFORE =
  'if its ExecStartPre= fails, its command does not run or ping, and the check goes down after the grace time'
const FAILS_AFTER =
  'if its own ExecStopPost= fails, systemd skips the ping after it, and the check goes down after the grace time'

const mayRestart = (service: Unit) =>
  /^on-(?:failure|abnormal|abort|watchdog)$/.test(service.last('Service.Restart') ?? '') ||
  service.get('Service.RestartForceExitStatus').length > 0

const mayFail = (service: Unit, commands: string) =>
  service.get(`Service.${commands}`).some((command) => !ignoresFailure(command))

const ignoresFailure = (command: string) => /^[@:+!|]*-/.test(command)

const CONDITIONS_TOLD = 3

/** Returns the first conditions of a unit, such as `ConditionACPower= or ExecCondition=`; '' if it has none. */
export function conditionsOf(unit: Unit): string {
  return [...unit.namesOf('Unit'), ...unit.namesOf('Service')]
    .filter((name) => /^(?:Condition|Assert|ExecCondition)/.test(name))
    .slice(0, CONDITIONS_TOLD)
    .map((name) => `${name}=`)
    .join(' or ')
}

/** Returns the words of the service's commands. `$$` means `$` (systemd.service(5), "COMMAND LINES"). */
function commandsOf(service: Unit): readonly (readonly string[])[] {
  return service
    .get('Service.ExecStart')
    .flatMap((command) => shellCommands(command.replace(/^[-@:+!|]+/, '')))
    .map(({ words }) => words.map((word) => word.replaceAll('$$', '$')))
}

/** Returns the exit statuses that the service's commands hide, without duplicates. */
export function statusesHiddenIn(service: Unit): readonly HiddenStatus[] {
  const found = commandsOf(service).flatMap((words) => statusesHiddenBy(words, 'unit'))
  return [...new Map(found.map((status) => [status.reason, status])).values()]
}
