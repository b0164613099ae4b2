/** The card for the account's morning mail. It shows the settings, when the next mail is due, and delivery problems. */
import type { Account } from '../../../../domain/account/account.ts'
import { MORNING_HOURS, type MorningWish, USUAL_HOUR } from '../../../../domain/account/morning-setting.ts'
import type { PlannedMorningMail } from '../../../../domain/morning/morning-mail.ts'
import type { PageContext } from '../../context.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { selectField } from '../../parts/forms/fields.ts'
import { card, keyValues } from '../../parts/lists.ts'
import { note } from '../../parts/notes.ts'
import { createClock, timeTag } from '../../parts/words/clock.ts'
import { bdi } from '../../parts/words/text.ts'

/** The button's name and value, which are submitted with the form's fields. */
export const MORNING_ACTION = { name: 'action', value: 'morning' } as const

const WISHES: Readonly<Record<'off' | MorningWish, string>> = {
  off: 'Off',
  always: 'Every morning',
  trouble: 'Only when something is wrong',
}

interface MorningCard extends PageContext {
  readonly account: Account
  /** next morning mail; null if the user does not receive any */
  readonly planned: PlannedMorningMail | null
  /** false if the server sends no email */
  readonly canMail: boolean
  /** path that the form posts to, including the SITE_ROOT path prefix */
  readonly action: string
}

export function morningCard({ account, planned, canMail, action, now, tz, href }: MorningCard): Html {
  const { wish = 'off', hour = USUAL_HOUR } = account.morningMail ?? {}
  const hours = MORNING_HOURS.map((one) => [String(one), `${String(one).padStart(2, '0')}:00`] as const)
  const facts = planned === null ? [] : factsOf(planned, now, tz)
  return card({
    title: 'Morning mail',
    body: html`<div class="stack">${obstacle(account, canMail)}<p>Reports to ${bdi(account.email)} how <a href="${href('/night')}">the night</a> went in all of your projects.</p>${facts.length > 0 && keyValues(facts)}<form class="form" method="post" action="${action}"><input type="hidden" name="${MORNING_ACTION.name}" value="${MORNING_ACTION.value}">
<div class="two">${selectField({ name: 'morning', label: 'Send it', value: wish, options: Object.entries(WISHES), help: 'Something is wrong if a run was missing, failed, slow or late.' })}${selectField({ name: 'hour', label: 'At', value: String(hour), options: hours, help: `In the zone of your account: ${tz}.` })}</div>
<div class="acts">${submit({ text: 'Save', look: 'primary' })}</div></form></div>`,
  })
}

/** Explains why the server cannot send mail, regardless of the user's settings. */
function obstacle({ isEmailConfirmed }: Account, canMail: boolean): HtmlValue {
  if (!canMail) return note('late', 'This server sends no email.')
  return !isEmailConfirmed && note('late', 'Nothing is sent until you open a link that was mailed to your address.')
}

function factsOf(
  { nextAttemptAt, attempts, error }: PlannedMorningMail,
  now: PageContext['now'],
  tz: string,
): readonly (readonly [string, HtmlValue])[] {
  const words = timeTag(nextAttemptAt, createClock(now, tz).weekdayTime(nextAttemptAt), tz)
  return [
    ['Next', attempts > 0 ? html`tried again ${words}` : words],
    ...(error === null ? [] : ([['Last', html`could not be sent: ${bdi(error)}`]] as const)),
  ]
}
