/** Implements `overdue schedule --check`, which shows how well the check's last runs fit the timing in the options. */
import { adviceSentence } from '../../domain/advice/sentence.ts'
import type { Suggestion } from '../../domain/advice/suggestion.ts'
import { wokenLines } from '../../domain/advice/woken-sentence.ts'
import { type Check, CheckSpec } from '../../domain/check/check.ts'
import { count, periodInLetters } from '../../domain/duration.ts'
import type { JudgedRun, Replay, ReplayTiming } from '../../domain/preview/replay.ts'
import type { TimingSpec } from '../../domain/preview/schedule-preview.ts'
import { fits } from '../../domain/schema.ts'
import type { Sentence } from '../../domain/words/sentence-parts.ts'
import { sentenceText } from '../../domain/words/sentence-text.ts'
import type { Instant } from '../../lib/time.ts'
import { type JudgedPast, judgePast } from '../../services/advice/schedule-preview.ts'
import { openCheck } from '../check/find-check.ts'
import { spanSeconds } from '../check/spec.ts'
import type { Context, Values } from '../command.ts'
import { shellWord } from '../hints.ts'
import { readZone } from '../times.ts'
import { optionError, usageError } from '../usage.ts'

/** Reads the timing from EXPRESSION and the options. @throws Refusal `usage`, `option-invalid` */
export function readTimingSpec({ positionals: [schedule], values }: Context): TimingSpec {
  const { period, tz, grace, check, project } = values
  if (schedule !== undefined && period !== undefined) {
    throw usageError('use only one of EXPRESSION and --period', SEE_HELP)
  }
  if (schedule === undefined && period === undefined && check === undefined) {
    throw optionError('missing EXPRESSION', 'put it in quotes, or use --period, --check or --stdin')
  }
  if (project !== undefined && check === undefined) throw usageError('--project needs --check', SEE_HELP)
  if (grace !== undefined && check === undefined) throw usageError('--grace needs --check', SEE_HELP)
  return {
    ...(schedule === undefined ? {} : { schedule }),
    ...(period === undefined ? {} : { timeout: readSeconds('timeout', '--period', period) }),
    ...(grace === undefined ? {} : { grace: readSeconds('grace', '--grace', grace) }),
    ...(tz === undefined ? {} : { tz: readZone(String(tz)) }),
  }
}

const SEE_HELP = 'see `overdue schedule --help`'

function readSeconds(field: 'timeout' | 'grace', option: string, text: unknown): number {
  const seconds = Number(spanSeconds(String(text)))
  if (fits(CheckSpec.properties[field], seconds)) return seconds
  throw optionError(`${option} "${text}" is not valid`, 'use 60 to 31536000 seconds, or a span such as 5m, 1h, 1d 12h')
}

interface Trial {
  readonly check: Check
  judge(timing: ReplayTiming): Promise<JudgedPast>
}

/** @returns null without `--check`. @throws Refusal if no check matches, or several do */
export async function openTrial(context: Context): Promise<Trial | null> {
  const { values } = context
  if (values.check === undefined) return null
  const { deps, actor, found } = await openCheck({ ...context, argument: String(values.check) })
  return { check: found.check, judge: (timing) => judgePast(deps, actor, found.check, timing, []) }
}

/** @param values options of this command; the proposed command repeats them */
export function trialWords(check: Check, past: JudgedPast, values: Values, now: Instant): readonly string[] {
  const { replay, woken, suggestion } = past
  const said = (sentence: Sentence) => sentenceText(sentence, { now, tz: 'UTC', isNamed: true })
  if (replay === null) return [`The log of ${titleOf(check)} contains no runs yet.`]
  const counts = KINDS.flatMap(({ of, words }) => (of(replay) > 0 ? [`${of(replay)} ${words}`] : []))
  const strip = replay.runs.map((run) => KINDS.find(({ kind }) => kind === run.kind)?.sign)
  return [
    `The last ${count(replay.runs.length, 'run')} of ${titleOf(check)} with this schedule: ${counts.join(', ')}.`,
    `  ${strip.join('')}`,
    `  Oldest first: ${KINDS.map(({ sign, words }) => `${sign} ${words}`).join(', ')}.`,
    ...(woken === null ? [] : ['', ...wokenLines(woken).map(({ says }) => said(says))]),
    ...(suggestion === null ? [] : suggestionWords(suggestion, values, said)),
  ]
}

const KINDS: readonly {
  readonly kind: JudgedRun['kind']
  readonly sign: string
  readonly words: string
  readonly of: (replay: Replay) => number
}[] = [
  { kind: 'ok', sign: '|', words: 'on time', of: ({ onTime }) => onTime },
  { kind: 'late', sign: 'L', words: 'late', of: ({ late }) => late },
  { kind: 'missing', sign: '_', words: 'missing', of: ({ missing }) => missing },
  { kind: 'extra', sign: '+', words: 'extra', of: ({ extra }) => extra },
  { kind: 'failed', sign: 'x', words: 'failed', of: ({ failed }) => failed },
]

function titleOf({ name, slug, id }: Check): string {
  return name === '' ? slug || id : `"${name}"`
}

function suggestionWords(
  { advice, timing }: Suggestion,
  values: Values,
  said: (sentence: Sentence) => string,
): readonly string[] {
  const { kind, timeoutSeconds, schedule, tz, graceSeconds } = timing
  const given =
    kind === 'simple'
      ? `--period ${shellWord(periodInLetters(timeoutSeconds))}`
      : `${shellWord(schedule)} --tz ${shellWord(tz)}`
  const check = `--check ${shellWord(String(values.check))}`
  const place = values.project === undefined ? check : `${check} --project ${shellWord(String(values.project))}`
  return [
    '',
    said(adviceSentence(advice, true)),
    `→ overdue schedule ${given} --grace ${shellWord(periodInLetters(graceSeconds))} ${place}`,
  ]
}
