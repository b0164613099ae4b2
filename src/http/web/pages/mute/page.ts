/** The page for muting checks, tags or a project. It asks when the mute should end, and lists the current mutes. */
import { END_CHOICES } from '../../../../domain/silence/choice.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { formActs } from '../../parts/forms/buttons.ts'
import { hiddenFields } from '../../parts/forms/fields.ts'
import { untilFields } from '../../parts/forms/until-fields.ts'
import { card } from '../../parts/lists.ts'
import { choiceWords, MUTE, MUTE_DAYS, MUTE_HELP, PLAN_PAGE, scopePairs } from '../../parts/mute.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent } from '../../route.ts'
import { calendarList } from './calendar.ts'
import type { MuteData } from './data.ts'
import { mutedList } from './muted-list.ts'
import { scopeNames, scopeWords } from './names.ts'
import { reasonField } from './reason.ts'

export function mutePage(data: MuteData): FrameContent {
  const { slug, href, back, muted, calendar, tz } = data
  return {
    layout: 'frame',
    title: 'Mute',
    heading: html`Mute ${scopeWords(data)}`,
    intro: MUTE_HELP,
    crumbs: [{ path: projectPath(slug, 'checks'), text: 'Checks' }],
    isNarrow: true,
    body: html`<div class="stack"><form class="form" method="post" action="${href(projectPath(slug, 'mute'))}">${hiddenFields([...scopePairs(data.scope), [MUTE.back, back]])}
${scopeNames(data)}${fields(data)}
${formActs({ text: 'Mute', look: 'primary', icon: 'mute' }, href(back), planButton(data))}</form>
${muted.first.length > 0 && card({ title: 'Muted', body: mutedList(data) })}
${calendar.occurrences.length > 0 && card({ title: 'Planned for the next four weeks', body: calendarList(data) })}${zoneLine(tz)}</div>`,
  }
}

/** Renders the button that opens the page for planning a window. The button submits the form's checks and reason to that page. */
function planButton({ href, slug }: MuteData): Html {
  return html`<button class="btn" formaction="${href(projectPath(slug, PLAN_PAGE))}" formnovalidate>Plan a window…</button>`
}

function fields(data: MuteData): Html {
  const { form } = data
  const words = choiceWords(data)
  const options = END_CHOICES.map((choice) => {
    const known = words.find(([value]) => value === choice)
    const text = known?.[1] ?? 'Until a day and time'
    const end = known && html` <small class="muted">${known[2]}</small>`
    return html`<label class="pick"><input type="radio" name="${MUTE.until}" value="${choice}"${choice === form.choice && html` checked`}><span>${text}${end}</span></label>`
  })
  return html`<fieldset class="field"><legend>How long</legend>${options}</fieldset>
${untilFields({ ...data, days: MUTE_DAYS, none: null, day: form.day, time: form.time, error: form.errors.day })}
${reasonField(form.reason, form.errors.reason)}`
}
