/** Implements `overdue doctor`, which reports problems with the monitoring of checks. */
import { advise } from '../../domain/advice/advise.ts'
import { type Case, readCase } from '../../domain/advice/cases.ts'
import { representFix } from '../../domain/advice/represent.ts'
import { adviceText } from '../../domain/advice/sentence.ts'
import { type Woken, woken } from '../../domain/advice/woken.ts'
import { messageOf } from '../../lib/errors.ts'
import { Temporal } from '../../lib/time.ts'
import { answerLines } from '../answer-lines.ts'
import type { Context, ExitStatus } from '../command.ts'
import { usageError } from '../usage.ts'

const WRONG_INPUT = 2

export async function diagnose(context: Context): Promise<ExitStatus> {
  const { stdin, project } = context.values
  if (!stdin) return (await import('./stored.ts')).diagnoseStored(context)
  if (context.argument !== '' || project !== undefined) {
    throw usageError(
      '--stdin takes neither a CHECK nor --project',
      'leave out one of the two; see `overdue doctor --help`',
    )
  }
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
  if (advice === undefined) return { advice: null, variant: null, fix: null, sentence: null }
  const { kind, variant, fix } = advice
  const sentence = adviceText(advice, facts.check, Temporal.Instant.fromEpochMilliseconds(now))
  return { advice: kind, variant, fix: representFix(fix), sentence }
}

function replayAnswer(found: Woken): object {
  return {
    alerts: found.alerts,
    // biome-ignore lint/suspicious/noThenProperty: the value is a number, so `await` does not mistake it for a promise
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
