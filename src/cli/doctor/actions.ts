/** `overdue doctor`: what is wrong with the watching of a check. */
import type { Advice } from '../../domain/advice/advice.ts'
import { advise } from '../../domain/advice/advise.ts'
import { type Case, readCase } from '../../domain/advice/cases.ts'
import { representFix } from '../../domain/advice/represent.ts'
import { adviceSentence } from '../../domain/advice/sentence.ts'
import { type Woken, woken } from '../../domain/advice/woken.ts'
import { sentenceText } from '../../domain/words/sentence-text.ts'
import { messageOf } from '../../lib/errors.ts'
import { Temporal } from '../../lib/time.ts'
import { answerLines } from '../answer-lines.ts'
import type { Context, ExitStatus } from '../command.ts'
import { usageError } from '../usage.ts'

const WRONG_INPUT = 2

export async function diagnose(context: Context): Promise<ExitStatus> {
  const { stdin, project } = context.values
  if (project !== undefined) return (await import('./stored.ts')).diagnoseStored(context)
  if (!stdin) throw usageError('doctor needs --project or --stdin', 'see `overdue doctor --help`')
  let status: ExitStatus
  await answerLines(context, (line, number) => {
    try {
      return answerTo(readCase(line))
    } catch (error) {
      status = WRONG_INPUT
      return { error: `line ${number}: ${messageOf(error)}` }
    }
  })
  return status
}

function answerTo({ facts, now, tried }: Case): object {
  if (tried !== null) return replayAnswer(woken(facts, { timing: tried }, now))
  const [advice] = advise(facts, now)
  const { kind, tz } = facts.check
  return adviceAnswer(advice, kind === 'simple' ? 'UTC' : tz, now)
}

function adviceAnswer(advice: Advice | undefined, tz: string, now: number): object {
  if (advice === undefined) return { advice: null, variant: null, fix: null, sentence: null }
  const { kind, variant, fix } = advice
  const at = Temporal.Instant.fromEpochMilliseconds(now)
  const sentence = sentenceText(adviceSentence(advice, true), { now: at, tz, isNamed: true })
  return { advice: kind, variant, fix: representFix(fix), sentence }
}

function replayAnswer(found: Woken): object {
  return {
    alerts: found.alerts,
    // biome-ignore lint/suspicious/noThenProperty: a number, which no promise takes for a function
    then: found.alertsThen,
    spared: found.spared,
    unfound: found.unfound.map(utc),
    later: found.later.map(({ at, minutes }) => [utc(at), minutes]),
    gained: found.gained.map(utc),
    more: found.more.map(utc),
    notice_s: found.noticeSeconds,
    notice_then_s: found.noticeThenSeconds,
  }
}

function utc(at: number): string {
  return new Date(at).toISOString()
}
