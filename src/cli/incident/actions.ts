/** Implements the `overdue incident` commands. */
import { Refusal } from '../../domain/errors.ts'
import type { NumberedEvent } from '../../domain/incident/event.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { representEvent, representIncident } from '../../domain/incident/represent.ts'
import { readNote, readTaking } from '../../domain/incident/spec.ts'
import { byName, eventSentence, holdSentence, onItSentence } from '../../domain/incident/words.ts'
import { flipWords } from '../../domain/log/line-words.ts'
import type { Silence } from '../../domain/silence/silence.ts'
import type { Sentence } from '../../domain/words/sentence-parts.ts'
import { sentenceText, type TextZone } from '../../domain/words/sentence-text.ts'
import { isoMicroseconds, microsecondsBetween } from '../../lib/time.ts'
import {
  handBackIncident,
  noteIncident,
  type OpenedIncident,
  openIncidentOf,
  takeIncident,
} from '../../services/incidents/incidents.ts'
import { type IncidentOfCheck, listIncidents } from '../../services/incidents/list.ts'
import { findSilences } from '../../services/silences/silences.ts'
import type { Context } from '../command.ts'
import { readCount } from '../count-option.ts'
import { openProject } from '../project/open-project.ts'
import { readEnd } from '../read-end.ts'
import type { Cell } from '../terminal/screen.ts'
import { optionError } from '../usage.ts'
import { type FoundIncident, notFound, openIncident, shownId } from './find-incident.ts'

const HEADS = ['WENT DOWN', 'CHECK', 'CAME UP', 'ALERTED', 'HELD UNTIL', 'ON IT', 'ID']
/** Indexes of the columns that a narrow terminal omits first: HELD UNTIL and ALERTED. */
const LEAST_WANTED = [4, 3]

/** Runs `overdue incident list`. */
export async function list({ openDeps, values, print }: Context): Promise<undefined> {
  const limit = readCount(values, 'limit')
  const { deps, actor } = await openProject({ openDeps, values })
  const tag = values.tag === undefined ? null : String(values.tag)
  const filter = { isOpen: values.open === true ? true : null, checkId: null, tag }
  const found: IncidentOfCheck[] = []
  for await (const page of listIncidents(deps, actor, filter)) {
    found.push(...page)
    if (found.length >= limit) break
  }
  const shown = found.slice(0, limit)
  print(shown.map(representIncident), [{ rows: [HEADS, ...shown.map(cells)], leastWanted: LEAST_WANTED }])
}

function cells({ incident, check }: IncidentOfCheck): Cell[] {
  const { openedAt, resolvedAt, toldAt, held, acknowledgement } = incident
  const name = { name: check.name || check.slug || check.id }
  const onIt = acknowledgement === null ? null : byName(acknowledgement.by)
  return [openedAt, name, resolvedAt, toldAt, held?.until ?? null, onIt, { id: shownId(check, incident) }]
}

/** Runs `overdue incident show`. */
export async function show(context: Context): Promise<undefined> {
  const { argument, zone, print } = context
  const { deps, actor, ...name } = await openIncident(context)
  const opened = await openIncidentOf(deps, actor, name).catch(named(argument))
  const silences = await findSilences(deps, actor, silenceIdsOf(opened))
  const json = { ...representIncident(opened), events: opened.events.map(representEvent) }
  print(json, shownIncident(opened, silences, { now: deps.now(), tz: zone() }))
}

type Silences = ReadonlyMap<string, Silence>

function silenceIdsOf({ incident: { held }, events }: OpenedIncident): readonly string[] {
  const holding = held?.why === 'silence' ? [held.silenceId] : []
  return [...holding, ...events.flatMap((event) => (event.kind === 'held' ? [event.silenceId] : []))]
}

function shownIncident({ incident, check, events }: OpenedIncident, silences: Silences, zone: TextZone) {
  const { held, acknowledgement, resolvedAt } = incident
  const hold = held?.why === 'silence' ? [holdSentence(held, silences.get(held.silenceId) ?? null)] : []
  const onIt = resolvedAt === null ? [onItSentence(acknowledgement)] : []
  const rows = events.map((event): Cell[] => {
    const at = event.kind === 'flip' ? event.createdAt : event.at
    return [{ clock: at, tz: zone.tz }, eventText(event, incident, silences, zone)]
  })
  return [
    `${check.name || check.id}, incident ${shownId(check, incident)}`,
    ...[...onIt, ...hold].map((sentence: Sentence) => sentenceText(sentence, zone)),
    { rows },
  ]
}

function eventText(event: NumberedEvent, { openedAt }: Incident, silences: Silences, zone: TextZone): string {
  if (event.kind !== 'flip') {
    const silence = event.kind === 'held' ? (silences.get(event.silenceId) ?? null) : null
    return sentenceText(eventSentence(event, silence), zone)
  }
  const since = event.newStatus === 'down' ? null : microsecondsBetween(openedAt, event.createdAt)
  const { what, words } = flipWords(event, since)
  return words === '' ? what : `${what}: ${words}`
}

/** Runs `overdue incident take`. */
export async function take(context: Context): Promise<undefined> {
  const { values } = context
  const opened = await openIncident(context)
  const { deps, actor } = opened
  const now = deps.now()
  const end = readEnd(values, now)
  const taking = readTaking(
    {
      ...(values.note === undefined ? {} : { note: values.note }),
      ...(end === null ? {} : { until: isoMicroseconds(end) }),
      takes_over: values['take-over'] === true,
    },
    now,
  )
  if (typeof taking === 'string') {
    throw optionError(taking.replace('until is', 'the end is'), 'see `overdue incident take --help`')
  }
  const incident = await takeIncident(deps, actor, opened, taking).catch(named(context.argument))
  printChanged(context, opened, incident, onItSentence(incident.acknowledgement))
}

/** Runs `overdue incident release`. */
export async function release(context: Context): Promise<undefined> {
  const opened = await openIncident(context)
  const { deps, actor } = opened
  const incident = await handBackIncident(deps, actor, opened).catch(named(context.argument))
  printChanged(context, opened, incident, onItSentence(null))
}

/** Runs `overdue incident note`. */
export async function note(context: Context): Promise<undefined> {
  const [, text = ''] = context.positionals
  const noted = readNote({ text })
  if (typeof noted === 'string') throw optionError(noted.replace(/^text/, 'TEXT'), 'see `overdue incident note --help`')
  const opened = await openIncident(context)
  const { deps, actor } = opened
  await noteIncident(deps, actor, opened, noted.text).catch(named(context.argument))
  const { incident } = await openIncidentOf(deps, actor, opened)
  printChanged(context, opened, incident, ['Noted.'])
}

function printChanged({ zone, print }: Context, found: FoundIncident, incident: Incident, done: Sentence): void {
  const { deps, check } = found
  const words = sentenceText(done, { now: deps.now(), tz: zone(), isNamed: true })
  print(representIncident({ check, incident }), `${check.name || check.id}: ${words}`)
}

/** Adds the typed name to the error that is thrown if the incident does not exist. */
function named(typed: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof Refusal && error.code === 'not-found' ? notFound(typed) : error
  }
}
