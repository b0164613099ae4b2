/** Describes the state of a check and the reason for it, in the same sentences as the check page. */
import type { Actor } from '../../domain/actor.ts'
import { checkZone } from '../../domain/advice/sentence.ts'
import { toldSentence } from '../../domain/alert/told.ts'
import type { Check } from '../../domain/check/check.ts'
import { nextSlotSentence, outageHeadline, recoveryOf } from '../../domain/sentence/check-head.ts'
import { headlineOf } from '../../domain/sentence/sentence.ts'
import { join, type Sentence } from '../../domain/words/sentence-parts.ts'
import { sentenceText } from '../../domain/words/sentence-text.ts'
import type { Deps } from '../../services/common/deps.ts'
import { type CheckPage, readCheckPage } from '../../services/overview/check-page.ts'
import { adviceNotes, untoldNotes } from './notes.ts'

interface SaidState {
  /** the state, its reason, and the next event */
  readonly why: string
  /** a sentence that says who was alerted to the last status change */
  readonly told: string
  /** sentences about problems with the check's monitoring */
  readonly notes: readonly string[]
}

/** Describes a check's state. Times are in the check's time zone. */
export async function readState(deps: Deps, actor: Actor, check: Check): Promise<SaidState> {
  const zone = checkZone(check, deps.now())
  const page = await readCheckPage(deps, actor, check.publicId, zone.tz, null)
  const { view, runs, flips, advice, outage, untold } = page
  const { lead, detail } = headlineOf(view, runs, recoveryOf(view.check, flips))
  const next = view.isResumed ? nextSlotSentence(view.check, page.now) : []
  const away = outageHeadline(view.check, outage, page.now)
  const first = advice.first?.advice ?? null
  const isSaid = untold === null || first?.kind === 'untold'
  return {
    why: sentenceText(join(lead, detail, next), zone),
    told: sentenceText(toldWords(page), zone),
    notes: [
      ...(away === null ? [] : [sentenceText(join(away.lead, away.detail), zone)]),
      ...(isSaid ? [] : await untoldNotes(deps, actor, [view])),
      ...adviceNotes(first, view.check, deps),
    ],
  }
}

function toldWords({ told, view: { state, channelIds } }: CheckPage): Sentence {
  if (told === null && state !== 'down' && state !== 'late') return ['No one was alerted, because nothing went wrong.']
  return toldSentence(told, channelIds.length > 0, (entry) => entry.channelName || entry.channelKind)
}
