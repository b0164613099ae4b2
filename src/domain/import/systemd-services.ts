/** Reads what matters of the service that a timer of systemd starts (systemd.service(5)). */
import { statusesHiddenBy } from './exit-status.ts'
import type { HiddenStatus } from './hidden-status.ts'
import { seemsToPing } from './pinging-already.ts'
import type { Problem } from './proposal.ts'
import { shellCommands } from './shell-commands.ts'
import { readSpanOfSystemd } from './systemd-span.ts'
import { type Unit, type Units, YES } from './systemd-units.ts'

/** The reason why no check is proposed for the service; null: one is. @param service undefined: no file tells of it */
export function serviceProblem(service: Unit | undefined, units: Units): Problem | null {
  if (service === undefined) return null
  if (!service.hasSettings) return { reason: 'The file of its service has no settings.', advice: null }
  if (pingsAlready(service, units)) return { reason: 'Its service pings a check already.', advice: null }
  const setting = STAYS.find(([name, words]) => words.test(service.last(`Service.${name}`) ?? ''))?.[0]
  if (setting === undefined) return null
  return {
    reason: `With ${setting}=, its service stays active, so the timer starts it only once.`,
    advice: 'Remove that setting if it is not needed, and import again.',
  }
}

/** With their values that keep a service active when its command has ended. */
const STAYS = [
  ['RemainAfterExit', YES],
  ['Restart', /^always$/],
] as const

/** The type of a service that mostly runs on when it has started; null: another. */
export function typeOfDaemon(service: Unit): string | null {
  const type = service.last('Service.Type') ?? ''
  return /^(?:forking|notify|notify-reload|dbus)$/.test(type) ? type : null
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** By its own commands and variables, or those of the units that it starts at its end. */
function pingsAlready(service: Unit, units: Units): boolean {
  const started = ['Unit.OnSuccess', 'Unit.OnFailure'].flatMap((key) => service.get(key).join(' ').split(/\s+/))
  if (started.some((name) => UUID.test(name))) return true
  return [service, ...started.map((name) => units.get(name))].some((unit) => unit?.textsOf('Service').some(seemsToPing))
}

/**
 * How long a run may take, in seconds; 0: its files set no limit. That of the start is the one of a service that ends with its start,
 * and systemd counts it for each command.
 */
export function longestRun(service: Unit): number {
  const isOneShot = service.last('Service.Type') === 'oneshot'
  const limit = readSpanOfSystemd(service.last(`Service.${isOneShot ? 'TimeoutStartSec' : 'RuntimeMaxSec'}`) ?? '') ?? 0
  return Math.ceil(limit) * (isOneShot ? service.get('Service.ExecStart').length : 1)
}

/** What people should know of its pings: sentences without the final stop. @param pingsInside true: its own commands ping */
export function remarksOn(service: Unit, pingsInside: boolean): readonly string[] {
  const isHidden = service.get('Service.ExecStart').some((command) => /^[@:+!]*-/.test(command))
  const restarts = !/^(?:no|)$/.test(service.last('Service.Restart') ?? '')
  const conditions = [...service.namesOf('Unit'), ...service.namesOf('Service')].filter((name) => CONDITION.test(name))
  return [
    ...(isHidden ? ['the - before its command hides a failure, so the check shows a success'] : []),
    ...(restarts && pingsInside ? ['Restart= runs it again by itself, and each of these runs pings, too'] : []),
    ...conditions.slice(0, 1).map((name) => `a run that ${name}= skips pings nothing, so the check goes down`),
  ]
}

const CONDITION = /^(?:Condition|Assert|ExecCondition)/

/** What its commands hide, each once. A `$$` is a `$` (systemd.service(5), "COMMAND LINES"). */
export function statusesHiddenIn(service: Unit): readonly HiddenStatus[] {
  const commands = service
    .get('Service.ExecStart')
    .flatMap((command) => shellCommands(command.replace(/^[-@:+!|]+/, '')))
  return [
    ...new Set(commands.flatMap(({ words }) => statusesHiddenBy(words.map((word) => word.replaceAll('$$', '$'))))),
  ]
}
