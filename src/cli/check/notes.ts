/** Composes the notes that commands print about monitoring problems and how to fix them. */
import type { Actor } from '../../domain/actor.ts'
import type { Advice } from '../../domain/advice/advice.ts'
import type { Doubt } from '../../domain/advice/doubt.ts'
import { adviceWords } from '../../domain/advice/fix-words.ts'
import { adviceText } from '../../domain/advice/sentence.ts'
import type { MuteChannels } from '../../domain/channel/mute.ts'
import { untoldBy, untoldSentence } from '../../domain/channel/untold.ts'
import type { Check } from '../../domain/check/check.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { ShownCheck } from '../../domain/check/shown-check.ts'
import { count } from '../../domain/duration.ts'
import { sentenceText } from '../../domain/words/sentence-text.ts'
import { listChannels } from '../../services/channels/channels.ts'
import { readMuteChannels } from '../../services/channels/mute-channels.ts'
import type { Deps } from '../../services/common/deps.ts'

/** Returns a list of at most one sentence. */
export function adviceNotes(advice: Advice | null, check: Check, { now }: Pick<Deps, 'now'>): readonly string[] {
  return advice === null ? [] : [adviceText(advice, check, now())]
}

/** Formats notes as lines to print below the output of a command. */
export function noteLines(notes: readonly string[]): readonly string[] {
  return notes.map((note) => `→ ${note}`)
}

/** Returns the text for the NOTE column of a check list, such as `running longer than usual, alerts no one`. */
export function noteCell({ isSlow, isResumed }: ShownCheck, advice: Advice | null): string | null {
  const words = [
    ...(isSlow ? ['running longer than usual'] : []),
    ...(isResumed ? ['resumed, not pinged since'] : []),
    ...(advice === null ? [] : [adviceWords(advice)]),
  ]
  return words.join(', ') || null
}

/**
 * Returns a note if any of the new or newly assigned checks alerts no one. Unlike advice, it does not wait for a check's first day to end.
 */
export async function untoldNotes(
  deps: Deps,
  actor: Actor,
  checks: readonly Pick<CheckWithChannels, 'channelIds'>[],
): Promise<readonly string[]> {
  const now = deps.now()
  const mute = await readMuteChannels(deps, actor, now)
  const untold = checks.flatMap(({ channelIds }) => untoldBy(channelIds, mute) ?? [])
  const [first] = untold
  if (first === undefined) return []
  const said =
    checks.length === 1
      ? sentenceText(untoldSentence(first), { now, tz: 'UTC', isNamed: true })
      : `${manyUntold(untold.length)}.`
  return [`${said} ${await untoldRemedy(deps, actor, mute)}`]
}

async function untoldRemedy(deps: Deps, actor: Actor, mute: MuteChannels): Promise<string> {
  const { length } = await listChannels(deps, actor)
  const assign = 'assign it with `overdue check set --channels`'
  if (length === 0) return `The project has no channel: create one with \`overdue channel create\`, then ${assign}.`
  if (length === mute.size)
    return 'No channel of the project works: see `overdue channel list` and `overdue channel test`.'
  return 'Choose who is alerted with `overdue check set --channels`.'
}

/** Returns the notes to print below a list of checks. */
export async function listNotes(
  deps: Deps,
  actor: Actor,
  { untold, unwatched }: Readonly<Record<Doubt, number>>,
): Promise<readonly string[]> {
  return [
    ...(untold === 0
      ? []
      : [`${manyUntold(untold)}. ${await untoldRemedy(deps, actor, await readMuteChannels(deps, actor, deps.now()))}`]),
    ...(unwatched === 0
      ? []
      : [
          `${count(unwatched, 'check')} ${unwatched === 1 ? 'was' : 'were'} due and never pinged: add the ping URL to the job, see \`overdue check show\`. A 404 in the log of a job means that its URL is wrong.`,
        ]),
  ]
}

function manyUntold(checks: number): string {
  return `${count(checks, 'check')} ${checks === 1 ? 'alerts' : 'alert'} no one`
}
