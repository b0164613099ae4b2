/** Implements the `overdue check` commands. */
import type { Actor } from '../../domain/actor.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { type ShownState, showCheck } from '../../domain/check/shown-check.ts'
import { Refusal } from '../../domain/errors.ts'
import { createMatcher, StandingTally } from '../../domain/list/check-list.ts'
import { listChannels } from '../../services/channels/channels.ts'
import { deleteCheck, listChecks, pauseCheck, resumeCheck, upsertCheck } from '../../services/checks/checks.ts'
import { readShownAdvice } from '../../services/checks/shown-advice.ts'
import type { Deps } from '../../services/common/deps.ts'
import { STATES } from '../choices.ts'
import type { Context, ExitStatus } from '../command.ts'
import { openProject } from '../project/open-project.ts'
import { type Cell, shortIds } from '../terminal/screen.ts'
import { optionError } from '../usage.ts'
import { openCheck } from './find-check.ts'
import { adviceNotes, listNotes, noteCell, noteLines, untoldNotes } from './notes.ts'
import { readSpec } from './spec.ts'
import { readState } from './state.ts'
import { checkWords, LEAST_WANTED, LIST_HEADS, listCells, represent, withNotes } from './words.ts'

/** Runs `overdue check list`. */
export async function list({ openDeps, values, lists, print }: Context): Promise<undefined> {
  const query = { text: '', states: readStates(values.status), tags: lists.tag ?? [], advice: [] }
  const { deps, actor } = await openProject({ openDeps, values })
  const now = deps.now()
  const shownAdvice = await readShownAdvice(deps, actor.project.id, now)
  const matches = createMatcher(query, true)
  const tally = new StandingTally()
  const json: unknown[] = []
  const rows: Cell[][] = []
  const ids: string[] = []
  for await (const page of listChecks(deps, actor, {})) {
    for (const found of page) {
      const advice = shownAdvice.get(found.check.id) ?? null
      const shown = showCheck(found.check, now)
      const standing = { ...shown, advice }
      if (!matches(found.check, standing)) continue
      tally.count(standing)
      if (values.json) json.push(withNotes(represent(found, deps), adviceNotes(advice, found.check, deps)))
      else rows.push([...listCells(found.check, deps), noteCell(shown, advice)])
      ids.push(found.check.id)
    }
  }
  const short = shortIds(ids)
  const table = {
    rows: [LIST_HEADS, ...rows.map((row, index) => [...row, short[index] ?? null])],
    leastWanted: LEAST_WANTED,
  }
  const notes = await listNotes(deps, actor, tally.advice)
  print(json, [table, ...noteLines(notes)])
}

/** Reads states such as `down,late`. @throws Refusal `unknown-choice` */
function readStates(given: Context['values'][string]): readonly ShownState[] {
  if (given === undefined) return []
  const choices = Object.keys(STATES) as (keyof typeof STATES)[]
  return String(given)
    .split(',')
    .map((word) => {
      const choice = choices.find((each) => each === word.trim().toLowerCase())
      if (choice === undefined) throw new Refusal('unknown-choice', `unknown status "${word.trim()}"`, { choices })
      return STATES[choice]
    })
}

/** Runs `overdue check show`. */
export async function show(context: Context): Promise<undefined> {
  const { deps, actor, found } = await openCheck(context)
  const { why, told, notes } = await readState(deps, actor, found.check)
  const words = checkWords(found, deps, await listChannels(deps, actor))
  const json = { ...represent(found, deps), why, told }
  context.print(withNotes(json, notes), [[why, told].join('\n'), '', ...words, ...noteLines(notes)])
}

/** Runs `overdue check create`. */
export async function create(context: Context): Promise<undefined> {
  const spec = readSpec(context.values)
  if (!spec.name) throw optionError('--name is empty', 'see `overdue check create --help`')
  const { deps, actor } = await openProject(context)
  const found = await upsertCheck(deps, actor, spec, false)
  await printCheck(context, { deps, actor, found, notes: await untoldNotes(deps, actor, [found]) })
}

interface PrintedCheck {
  readonly deps: Deps
  readonly actor: Actor
  readonly found: CheckWithChannels
  /** sentences about problems with the check's monitoring */
  readonly notes: readonly string[]
}

async function printCheck({ print }: Context, { deps, actor, found, notes }: PrintedCheck): Promise<void> {
  const words = checkWords(found, deps, await listChannels(deps, actor))
  print(withNotes(represent(found, deps), notes), [...words, ...noteLines(notes)])
}

/** Runs `overdue check pause`. */
export const pause = (context: Context) => change(context, pauseCheck, 'paused')

/** Runs `overdue check resume`. */
export const resume = (context: Context) => change(context, resumeCheck, 'resumed')

async function change(context: Context, work: typeof pauseCheck, done: string): Promise<undefined> {
  const { deps, actor, found } = await openCheck(context)
  const changed = await work(deps, actor, found.check)
  context.print(represent(changed, deps), `${done} ${titleOf(changed)}`)
}

/** Runs `overdue check delete`. */
export async function remove(context: Context): Promise<ExitStatus> {
  const { deps, actor, found } = await openCheck(context)
  const title = titleOf(found)
  if (!context.confirm(`Delete the check ${title} and its log?`)) return 1
  const deleted = await deleteCheck(deps, actor, found.check)
  context.print(represent(deleted, deps), `deleted ${title}`)
  return 0
}

function titleOf({ check: { name, id } }: CheckWithChannels): string {
  return name === '' ? id : `"${name}" (${id})`
}
