/** Advice on one line: the problem, the alerts that the fix would have avoided, and what to do. */
import type { Advice } from '../../../../domain/advice/advice.ts'
import { adviceSentence } from '../../../../domain/advice/sentence.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { icon } from '../icons.ts'
import { sentenceHtml, type Zone } from '../words/sentence.ts'
import { type AdvicePlace, adviceActs } from './advice-acts.ts'

/** @param place null for users with read-only access @param spared effect of the fix, in words */
export function adviceLine(advice: Advice, place: AdvicePlace | null, zone: Zone, spared: HtmlValue): Html {
  const said = sentenceHtml(adviceSentence(advice, place !== null), zone)
  return html`<div class="advice">${icon('bulb')}<p><b>${said}</b>${spared && html` ${spared}`}${place === null && html` ${readerWords(advice)}`}</p>${place && adviceActs(advice, place)}</div>`
}

/** Describes the fix for a user with read-only access, who has to ask a member to apply it, as in `A member can set the zone.` */
export function readerWords({ fix }: Advice): string {
  if (fix.do === 'resume') return 'A member can resume it.'
  if (fix.do !== 'set') return ''
  const { tz, schedule, timeout, methods } = fix.settings
  const what =
    schedule !== undefined || timeout !== undefined
      ? 'change the schedule'
      : tz !== undefined
        ? 'set the zone'
        : methods === undefined
          ? 'set the grace time'
          : 'change the rules'
  return `A member can ${what}.`
}
