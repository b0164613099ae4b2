/** `overdue check …` */
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { listChannels } from '../../services/channels.ts'
import { deleteCheck, listChecks, pauseCheck, resumeCheck, updateCheck, upsertCheck } from '../../services/checks.ts'
import type { Context, ExitStatus } from '../command.ts'
import { type Cell, shortIds } from '../screen.ts'
import { optionError } from '../usage.ts'
import { readChannels, readSpec } from './check-spec.ts'
import { checkWords, LIST_HEADS, listCells, represent } from './check-words.ts'
import { openCheck } from './find-check.ts'
import { openProject } from './open-project.ts'
import { uncountedNotes } from './uncounted-notes.ts'

/** `overdue check list` */
export async function list({ openDeps, values, print }: Context): Promise<undefined> {
  const { deps, actor } = await openProject({ openDeps, values })
  const json: unknown[] = []
  const rows: Cell[][] = []
  const ids: string[] = []
  for await (const page of listChecks(deps, actor, {})) {
    for (const found of page) {
      if (values.json) json.push(represent(found, deps))
      else rows.push(listCells(found.check, deps))
      ids.push(found.check.id)
    }
  }
  const short = shortIds(ids)
  const table = { rows: [[...LIST_HEADS, 'ID'], ...rows.map((row, index) => [...row, short[index] ?? ''])] }
  print(json, [table])
}

/** `overdue check show` */
export async function show(context: Context): Promise<undefined> {
  const { deps, actor, found } = await openCheck(context)
  const notes = await uncountedNotes(deps, found.check)
  const words = checkWords(found, deps, await listChannels(deps, actor))
  context.print(represent(found, deps), [...words, ...notes.map((note) => `→ ${note}`)])
}

/** `overdue check create` */
export async function create({ openDeps, values, print }: Context): Promise<undefined> {
  const spec = readSpec(values)
  if (!spec.name) throw optionError('--name is empty', 'see `overdue check create --help`')
  const { deps, actor } = await openProject({ openDeps, values })
  const created = await upsertCheck(deps, actor, spec, false)
  print(represent(created, deps), checkWords(created, deps, await listChannels(deps, actor)))
}

/** `overdue check pause` */
export const pause = (context: Context) => change(context, pauseCheck, 'paused')

/** `overdue check resume` */
export const resume = (context: Context) => change(context, resumeCheck, 'resumed')

async function change(context: Context, work: typeof pauseCheck, done: string): Promise<undefined> {
  const { deps, actor, found } = await openCheck(context)
  const changed = await work(deps, actor, found.check)
  context.print(represent(changed, deps), `${done} ${titleOf(changed)}`)
}

/** `overdue check delete` */
export async function remove(context: Context): Promise<ExitStatus> {
  const { deps, actor, found } = await openCheck(context)
  const title = titleOf(found)
  if (!context.values.yes && !context.confirm(`Delete the check ${title} and its log?`)) return 1
  const deleted = await deleteCheck(deps, actor, found.check)
  context.print(represent(deleted, deps), `deleted ${title}`)
  return 0
}

/** `overdue check assign` */
export async function assign(context: Context): Promise<undefined> {
  const channels = readChannels(String(context.values.channels))
  const { deps, actor, found } = await openCheck(context)
  const changed = await updateCheck(deps, actor, found.check, { channels }, false)
  context.print(represent(changed, deps), checkWords(changed, deps, await listChannels(deps, actor)))
}

function titleOf({ check: { name, id } }: CheckWithChannels): string {
  return name === '' ? id : `"${name}" (${id})`
}
