/** Writes the files that make the services of timers ping: drop-ins, and separate units for services that cannot send pings themselves. */
import { endPing, startPing } from '../ping-lines.ts'
import { quoted } from './quoting.ts'
import type { TimerPlan } from './systemd.ts'
import type { UnitFile } from './units.ts'
import { pingUnitOf, type ServicePings } from './ways.ts'
import { wrappedLines } from './wrapping.ts'

/** Returns the files to add. @param urlOf returns the ping URL of the check with the given slug */
export function writeDropIns({ services }: TimerPlan, urlOf: (slug: string) => string): readonly UnitFile[] {
  const endpoints = new Map<string, string>()
  const dropIns = [...services].map(([slug, { name, folder, pings }]) => {
    const url = urlOf(slug)
    const [endpoint, id] = splitUrl(url)
    if (pings === 'outside') endpoints.set(folder, endpoint)
    return { path: `${folder}/${name}.d/${DROP_IN}`, text: dropInText(pings, url, id) }
  })
  return [...dropIns, ...[...endpoints].flatMap(([folder, endpoint]) => pingUnits(folder, endpoint))]
}

/**
 * Name of the drop-in. systemd reads drop-ins in alphabetical order, and this drop-in must follow an `override.conf` that sets the command.
 */
const DROP_IN = 'zz-overdue.conf'

function dropInText(pings: ServicePings, url: string, id: string): string {
  if (pings === 'outside') return pingingOutside(id)
  return pings === 'inside' ? pingingInside(url) : `[Service]\n${wrappedLines(pings, url)}\n`
}

/** Splits a ping URL into the part before the id, with the trailing slash, and the id. */
function splitUrl(url: string): readonly [string, string] {
  const after = url.lastIndexOf('/') + 1
  return [url.slice(0, after), url.slice(after)]
}

/** curl before 7.52 rejects `--retry-connrefused`, and systemd before 232 does not report the result. The job runs in both cases. */
const NEEDS = '# The pings need curl 7.52'

function pingingInside(url: string): string {
  const [start, stop] = [startPing(url), `${judgement('SERVICE_RESULT', 'EXIT_STATUS')}; ${endPing(url, '/$s')}`]
  return `${NEEDS} and systemd 232 (both of 2016) or newer.\n[Service]\nExecStartPre=-/bin/sh -c ${quoted(start)}\nExecStopPost=-/bin/sh -c ${quoted(stop)}\n`
}

/**
 * Returns a shell line that sets `s` to the exit status, or to `fail` if a signal or a time limit ended the job, or if the job could not
 * start. The line exits if a condition of the unit prevented the job from running. @param result a variable, see systemd.exec(5)
 */
function judgement(result: string, status: string): string {
  return `case "$${result}:$${status}" in success:*) s=0;; exec-condition:*) exit 0;; exit-code:[0-9]*) s=$${status};; *) s=fail;; esac`
}

/**
 * Returns a drop-in that starts a template unit. The check's id is the name of the instance, so two template units are enough for all
 * checks.
 */
function pingingOutside(id: string): string {
  return `[Unit]\nOnSuccess=overdue-success@${id}.service\nOnFailure=overdue-failure@${id}.service\n`
}

/**
 * Returns the template units that ping. The result is part of the unit name, because systemd versions before 251 do not provide it in
 * variables. `$0` is the id.
 */
function pingUnits(folder: string, endpoint: string): readonly UnitFile[] {
  const judged = judgement('MONITOR_SERVICE_RESULT', 'MONITOR_EXIT_STATUS')
  const commands = [
    ['success', `[ "$MONITOR_SERVICE_RESULT" = exec-condition ] || ${endPing(endpoint, '"$0"')}`],
    ['failure', `${judged}; ${endPing(endpoint, '"$0"/$s')}`],
  ] as const
  return commands.map(([result, command]) => ({
    path: `${folder}/${pingUnitOf(result)}`,
    text: `${NEEDS} (2016) or newer.\n[Unit]\nDescription=Tell a check of a ${result}\n\n[Service]\nType=oneshot\nExecStart=-/bin/sh -c ${quoted(command)} %i\n`,
  }))
}
