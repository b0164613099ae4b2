/** Proposes checks for CronJobs of Kubernetes, and writes JSON patches (RFC 6902) that make them ping. */
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { readFields, readScheduleWord } from './cron-fields.ts'
import { readGoDuration } from './go-duration.ts'
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
import { at, listAt, type Tree, textAt } from './tree.ts'

interface CronJob {
  readonly namespace: string | null
  readonly name: string
  /** of the container that does the job */
  readonly container: string
  readonly hasInitContainers: boolean
}

interface CronJobPlan {
  readonly checks: readonly ProposedCheck[]
  readonly notes: readonly ImportNote[]
  /** by slug; those that can be patched */
  readonly patchable: ReadonlyMap<string, CronJob>
}

export interface CronJobPatch {
  /** null: that of the configuration of kubectl */
  readonly namespace: string | null
  readonly name: string
  readonly operations: readonly Readonly<Record<string, unknown>>[]
}

/** @param documents parsed YAML or JSON: CronJobs, lists of them, and anything else, which is left out */
export function planCronJobs(documents: readonly Tree[], options: ProposalOptions): CronJobPlan {
  const proposals = new Proposals(options)
  const checks: ProposedCheck[] = []
  const notes: ImportNote[] = []
  const patchable = new Map<string, CronJob>()
  for (const item of documents.flatMap(itemsOf)) {
    const names = namesOf(item)
    if (names === null) {
      notes.push(noteOf('left-out', 'object', titleOf(item), 'This is no CronJob of batch/v1 with a name.'))
      continue
    }
    const place = [names.namespace, names.name].filter((part) => part !== null).join('/')
    const found = pings(item) ? 'The job pings a check already.' : readCronJob(item, options.zone)
    if (typeof found === 'string') {
      notes.push(noteOf('left-out', 'CronJob', place, found))
      continue
    }
    const check = proposals.add({ name: place, tags: 'kubernetes', place, ...found })
    checks.push(check)
    const container = soleContainer(item)
    if ('problem' in container)
      notes.push(noteOf('to-do', 'CronJob', place, container.problem, 'Ping the check from the job itself.'))
    else patchable.set(check.slug, { ...names, ...container })
  }
  return { checks, notes, patchable }
}

function itemsOf(document: Tree): readonly Tree[] {
  return /List$/.test(textAt(document, 'kind') ?? '') ? listAt(document, 'items') : [document]
}

const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/

function namesOf(item: Tree): Pick<CronJob, 'namespace' | 'name'> | null {
  const [name, namespace] = [textAt(item, 'metadata', 'name'), textAt(item, 'metadata', 'namespace')]
  if (textAt(item, 'kind') !== 'CronJob' || name === null || !NAME.test(name)) return null
  return namespace !== null && !NAME.test(namespace) ? null : { namespace, name }
}

function titleOf(item: Tree): string {
  const [kind, name] = [textAt(item, 'kind'), textAt(item, 'metadata', 'name')].map((text) =>
    text !== null && /^[\w.-]{1,100}$/.test(text) ? text : '?',
  )
  return `${kind} ${name}`
}

interface ReadJob {
  readonly timing: ProposedTiming
  readonly delaySeconds: number
  readonly isPaused: boolean
  readonly why: readonly string[]
}

/** A problem is a sentence. */
function readCronJob(item: Tree, usualZone: string): ReadJob | string {
  const [, prefixed, expression = ''] =
    /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/s.exec((textAt(item, 'spec', 'schedule') ?? '').trim()) ?? []
  const zone = prefixed ?? textAt(item, 'spec', 'timeZone')
  const read = readExpression(expression)
  if ('problem' in read) return read.problem
  const tz = zone === null ? usualZone : canonicalTimeZone(zone)
  if (tz === null) return 'Its time zone is not an IANA name such as Europe/Riga.'
  const timing = 'timeout' in read.timing ? read.timing : { ...read.timing, tz }
  const problem = timingProblem(timing)
  if (problem !== null) return problem
  const deadlines = [
    at(item, 'spec', 'startingDeadlineSeconds'),
    at(item, 'spec', 'jobTemplate', 'spec', 'activeDeadlineSeconds'),
  ]
  return {
    timing,
    delaySeconds: deadlines.reduce<number>(
      (sum, value) => sum + (typeof value === 'number' && value > 0 ? Math.ceil(value) : 0),
      0,
    ),
    isPaused: at(item, 'spec', 'suspend') === true,
    why: [...read.why, ...(zone === null && 'tz' in timing ? ['it names no zone'] : [])],
  }
}

function readExpression(expression: string): ReturnType<typeof readScheduleWord> {
  const every = /^@every\s+(\S+)$/.exec(expression)?.[1]
  if (every !== undefined) return { timing: { timeout: readGoDuration(every) ?? 0 }, delaySeconds: 0, why: [] }
  if (expression.startsWith('@')) return readScheduleWord(expression)
  const fields = expression.split(/\s+/)
  if (fields.length !== 5) return { problem: 'Its schedule has not five fields.' }
  return readFields(fields.map((field) => field.replaceAll('?', '*')))
}

const POD = ['spec', 'jobTemplate', 'spec', 'template', 'spec'] as const
/** What a container has that Kubernetes refuses in one that runs before others. */
const REFUSED = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']

function soleContainer(item: Tree): Pick<CronJob, 'container' | 'hasInitContainers'> | { readonly problem: string } {
  const containers = listAt(item, ...POD, 'containers')
  const [container] = containers
  const name = container === undefined ? null : textAt(container, 'name')
  if (container === undefined || containers.length > 1 || name === null || !NAME.test(name)) {
    return { problem: 'It has not exactly one container, so no patch can be written.' }
  }
  const before = listAt(item, ...POD, 'initContainers')
  if (REFUSED.some((key) => at(container, key) !== undefined)) {
    return { problem: 'Its container has probes or a lifecycle, so no patch can be written.' }
  }
  return { container: name, hasInitContainers: before.length > 0 }
}

/** In the commands of its containers. */
function pings(item: Tree): boolean {
  const containers = ['containers', 'initContainers'].flatMap((name) => listAt(item, ...POD, name))
  const words = containers.flatMap((one) => [...listAt(one, 'command'), ...listAt(one, 'args')])
  return words.some((word) => typeof word === 'string' && seemsToPing(word))
}

const START = 'overdue-start'
const END = 'overdue-end'

/**
 * The container that does the job is moved behind the init containers, and a container that pings takes its place: it runs only if the
 * job has succeeded. So the image of the job needs no curl and no shell.
 * @param image with curl and sh
 * @param urlOf the ping URL of the check with a slug
 */
export function writePatches(
  { patchable }: CronJobPlan,
  image: string,
  urlOf: (slug: string) => string,
): readonly CronJobPatch[] {
  return [...patchable].map(([slug, { namespace, name, container, hasInitContainers }]) => ({
    namespace,
    name,
    operations: operationsOf(container, hasInitContainers, image, urlOf(slug)),
  }))
}

function operationsOf(
  container: string,
  hasInitContainers: boolean,
  image: string,
  url: string,
): CronJobPatch['operations'] {
  const pod = `/${POD.join('/')}`
  const [first, before] = [`${pod}/containers/0`, `${pod}/initContainers`]
  // A ping that fails must not make the job fail.
  const pinging = (name: string, command: string) => ({ name, image, command: ['/bin/sh', '-c', `${command} || true`] })
  const start = pinging(START, startPing(url))
  return [
    { op: 'test', path: `${first}/name`, value: container },
    hasInitContainers ? { op: 'add', path: `${before}/0`, value: start } : { op: 'add', path: before, value: [start] },
    { op: 'move', from: first, path: `${before}/-` },
    { op: 'add', path: first, value: pinging(END, endPing(url, '')) },
  ]
}
