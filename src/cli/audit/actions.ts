/** Implements the `overdue audit` commands. */

import { type Actor, OPERATOR, operatorIn } from '../../domain/actor.ts'
import { AUDIT_ACTIONS, AUDIT_SUBJECT_KINDS } from '../../domain/audit/audit.ts'
import { type AuditPlace, authorWords, exportedEntry, type PlacedAuditEntry } from '../../domain/audit/audit-list.ts'
import { readDay } from '../../domain/day-time.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Instant, Temporal } from '../../lib/time.ts'
import {
  type AuditList,
  type AuditQuery,
  exportProjectAudit,
  exportServerAudit,
  readProjectAudit,
  readServerAudit,
} from '../../services/audit.ts'
import type { Deps } from '../../services/common/deps.ts'
import { getProject } from '../../services/projects/projects.ts'
import type { Context, Values } from '../command.ts'
import { readCount } from '../count-option.ts'
import type { Cell } from '../terminal/screen.ts'
import { optionError } from '../usage.ts'

/** Runs `overdue audit list`. */
export async function list(context: Context): Promise<undefined> {
  const limit = readCount(context.values, 'limit')
  const query = readQuery(context.values)
  const entries = await readSome(await open(context), query, limit)
  const heads = ['TIME', 'WHO', 'ACTION', 'KIND', 'NAME', 'FIELDS']
  context.print(entries.map(exportedEntry), [{ rows: [heads, ...entries.map(cells)] }])
}

/** Runs `overdue audit export`. */
export async function exportLines(context: Context): Promise<undefined> {
  const query = readQuery(context.values)
  const { deps, actor } = await open(context)
  const all = actor === null ? exportServerAudit(deps, OPERATOR, query) : exportProjectAudit(deps, actor, query)
  for await (const entries of all) {
    for (const entry of entries.map(exportedEntry)) context.print(entry, inAscii(entry))
  }
}

interface Opened {
  readonly deps: Deps
  /** null if the command covers all projects */
  readonly actor: Actor | null
}

async function open({ openDeps, values }: Context): Promise<Opened> {
  const deps = await openDeps()
  return {
    deps,
    actor: values.project === undefined ? null : operatorIn(await getProject(deps, String(values.project))),
  }
}

async function readSome({ deps, actor }: Opened, query: AuditQuery, limit: number): Promise<PlacedAuditEntry[]> {
  const entries: PlacedAuditEntry[] = []
  let place: AuditPlace | null = null
  do {
    const list: AuditList =
      actor === null
        ? await readServerAudit(deps, OPERATOR, query, place)
        : await readProjectAudit(deps, actor, query, place)
    entries.push(...list.entries)
    place = list.next
  } while (place !== null && entries.length < limit)
  return entries.slice(0, limit)
}

/** @throws Refusal `unknown-choice`, `option-invalid` */
function readQuery(values: Values): AuditQuery {
  const last = dayOf(values, 'until')
  return {
    who: text(values.who),
    text: text(values.name),
    action: choose(AUDIT_ACTIONS, values, 'action'),
    kind: choose(AUDIT_SUBJECT_KINDS, values, 'kind'),
    since: beginOf(dayOf(values, 'since')),
    until: beginOf(last?.add({ days: 1 }) ?? null),
  }
}

function text(value: Values[string]): string {
  return value === undefined ? '' : String(value)
}

function choose<Choice extends string>(choices: readonly Choice[], values: Values, name: string): Choice | null {
  const given = values[name]
  if (given === undefined) return null
  const found = choices.find((choice) => choice === given)
  if (found === undefined) throw new Refusal('unknown-choice', `unknown ${name} "${given}"`, { choices })
  return found
}

function dayOf(values: Values, name: string): Temporal.PlainDate | null {
  const given = values[name]
  if (given === undefined) return null
  const day = readDay(String(given))
  if (day === null) throw optionError(`--${name} ${given} is not a day`, 'use a day such as 2026-11-17')
  return day
}

function beginOf(day: Temporal.PlainDate | null): Instant | null {
  return day?.toZonedDateTime('UTC').toInstant() ?? null
}

function cells({ author, action, subject, before, after }: PlacedAuditEntry): Cell[] {
  const fields = Object.keys(after ?? before ?? {}).join(', ')
  return [author.at, authorWords(author), action, subject.kind, { name: subject.name }, fields]
}

/** Formats the value as JSON that contains only ASCII, so that a terminal shows every character. */
function inAscii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
