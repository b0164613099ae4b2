/** Implements `overdue status`, which prints the overview as text. */
import { toldSentence } from '../../domain/alert/told.ts'
import { clockOf } from '../../domain/night/outcome-words.ts'
import { nightTitle } from '../../domain/night/sentence.ts'
import { stripOf } from '../../domain/run/strip.ts'
import { overviewSentence } from '../../domain/sentence/overview-sentence.ts'
import { sentenceOf } from '../../domain/sentence/sentence.ts'
import type { Sentence } from '../../domain/words/sentence-parts.ts'
import { sentenceText, type TextZone } from '../../domain/words/sentence-text.ts'
import { isoSeconds, Temporal } from '../../lib/time.ts'
import { NightBriefs } from '../../services/overview/night-briefs.ts'
import { NightRows } from '../../services/overview/night-rows.ts'
import { type Overview, type Problem, readServerOverview, wrongSince } from '../../services/overview/overview.ts'
import { getProject } from '../../services/projects/projects.ts'
import { stateCell } from '../check/words.ts'
import type { Context, ExitStatus } from '../command.ts'
import type { Table } from '../terminal/screen.ts'

const IS_DOWN = 1

/** Runs `overdue status`. */
export async function status({ openDeps, values, zone, print }: Context): Promise<ExitStatus> {
  const deps = await openDeps()
  const project = values.project === undefined ? null : await getProject(deps, String(values.project))
  const tz = zone()
  const nightBriefs = new NightBriefs({ ...deps, nights: new NightRows(deps) })
  const overview = await readServerOverview({ ...deps, nightBriefs }, project?.id ?? null, tz)
  const inZone = { now: deps.now(), tz }
  const sentence = overviewSentence(overview, true)
  const problems = overview.problems.map((problem) => ({ problem, ...wordsOf(problem, inZone) }))
  const night = nightOf(overview, inZone)
  const hasSeveral = overview.places.length > 1
  print({ sentence, ...countsOf(overview), problems: problems.map(represent), night }, [
    sentence,
    ...problems.flatMap((said) => shownProblem(said, hasSeveral)),
    ...restOf(overview),
    ...(night === null ? [] : ['', night.words]),
  ])
  return overview.down > 0 ? IS_DOWN : 0
}

function countsOf({ down, late, slow, expected, unpinged, resumed, paused, unheard }: Overview) {
  return { down, late, slow, expected, unpinged, resumed, paused, unheard }
}

interface SaidProblem {
  readonly problem: Problem
  readonly why: string
  readonly told: string
}

function wordsOf(problem: Problem, inZone: TextZone): Pick<SaidProblem, 'why' | 'told'> {
  const { check, expected, told, channelIds } = problem
  const said = (sentence: Sentence) => sentenceText(sentence, inZone)
  return {
    why: said(sentenceOf(problem, stripOf(check, inZone.now, expected)) ?? []),
    told: said(toldSentence(told, channelIds.length > 0, (entry) => entry.channelName || entry.channelKind)),
  }
}

function shownProblem({ problem, why, told }: SaidProblem, hasSeveral: boolean): readonly (string | Table)[] {
  const { state, check, actor } = problem
  const name = { name: check.name || check.id }
  const row = [stateCell(state), name, ...(hasSeveral ? [{ name: `(${actor.project.name})` }] : [])]
  return ['', { rows: [row] }, `  ${why}\n  ${told}`]
}

/** Counts the problems that are not printed. Only the newest problems are printed, because many problems often have one cause. */
function restOf({ problems, down, late, slow, isCut }: Overview): readonly string[] {
  const rest = down + late + slow - problems.length
  if (rest <= 0) return []
  return ['', `and ${isCut ? 'at least ' : ''}${rest} more: see \`overdue check list --status down,late,running\``]
}

function represent({ problem, why, told }: SaidProblem) {
  const { check, actor, state } = problem
  const { id, name } = actor.project
  const since = isoSeconds(wrongSince(problem))
  return { uuid: check.id, name: check.name, project: { id, name }, state, since, why, told }
}

/** Returns null if there are no checks. */
function nightOf({ night, places }: Overview, { now, tz }: TextZone) {
  if (places.every(({ checks }) => checks === 0) || typeof night === 'string') return null
  const { brief, sentence, unread } = night
  const { from, until } = brief.window
  const { away, counts, more } = sentence
  const said = [
    `${nightTitle(brief.window, now.epochMilliseconds)}, ${clockOf(from, tz)} to ${clockOf(until, tz)}, ${tz}:`,
    ...(away === '' ? [] : [away]),
    counts,
    ...(more.length === 0 ? [] : [sentenceText(more, { now, tz })]),
    ...(unread === 0 ? [] : [`The checks of ${unread} ${unread === 1 ? 'project' : 'projects'} could not be read.`]),
  ]
  const [begin, end] = [from, until].map((at) => isoSeconds(Temporal.Instant.fromEpochMilliseconds(at)))
  return { from: begin, until: end, tz, words: said.join(' ') }
}
