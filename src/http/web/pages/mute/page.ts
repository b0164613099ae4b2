/** Asks until when to mute checks, tags or a project, and lists the present mutes. */
import { END_CHOICES, type EndChoice } from '../../../../domain/silence/choice.ts'
import { REASON_LIMIT } from '../../../../domain/silence/silence.ts'
import { mutedSentence, windowWords } from '../../../../domain/silence/words.ts'
import type { NamedSilence, NamedSilences } from '../../../../services/silences/silence-checks.ts'
import type { PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { formActs } from '../../parts/forms/buttons.ts'
import { areaField, type FieldErrors, hiddenFields } from '../../parts/forms/fields.ts'
import { untilFields } from '../../parts/forms/until-fields.ts'
import { icon } from '../../parts/icons.ts'
import { card } from '../../parts/lists.ts'
import { choiceWords, MUTE, MUTE_DAYS, MUTE_HELP, type MuteScope, scopePairs, unmuteForm } from '../../parts/mute.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { bdi, counted } from '../../parts/words/text.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent } from '../../route.ts'

/** The submitted or initial values of the form. */
export interface MuteForm {
  readonly choice: EndChoice
  readonly day: string
  readonly time: string
  readonly reason: string
  readonly errors: FieldErrors
}

export interface MuteData extends PageContext {
  readonly slug: string
  readonly projectName: string
  readonly scope: MuteScope
  /** names of the checks to mute, in order */
  readonly names: readonly string[]
  /** local path of the next page */
  readonly back: string
  readonly form: MuteForm
  readonly muted: NamedSilences
}

/** Most checks that are named; the others are counted. */
const NAMED = 10

export function mutePage(data: MuteData): FrameContent {
  const { slug, href, back, muted, tz } = data
  return {
    layout: 'frame',
    title: 'Mute',
    heading: html`Mute ${whatWords(data)}`,
    intro: MUTE_HELP,
    crumbs: [{ path: projectPath(slug, 'checks'), text: 'Checks' }],
    isNarrow: true,
    body: html`<div class="stack"><form class="form" method="post" action="${href(projectPath(slug, 'mute'))}">${hiddenFields([...scopePairs(data.scope), [MUTE.back, back]])}
${names(data)}${fields(data)}
${formActs({ text: 'Mute', look: 'primary', icon: 'mute' }, href(back))}</form>
${muted.first.length > 0 && card({ title: 'Muted', body: mutedList(data) })}${zoneLine(tz)}</div>`,
  }
}

function whatWords({ scope, names, projectName }: MuteData): Html {
  if (scope.isProject) return html`all checks of ${bdi(projectName)}`
  if (scope.tags.length > 0)
    return html`all checks with ${scope.tags.map((tag) => html`<span class="tag">${bdi(tag)}</span> `)}`
  const [only = ''] = names
  return names.length === 1 ? nameHtml(only) : html`${counted(names.length, 'check', 'checks')}`
}

function nameHtml(name: string): Html {
  return name === '' ? html`<i>no name</i>` : bdi(name)
}

function names({ names: all }: MuteData): HtmlValue {
  if (all.length < 2) return null
  const rest = all.length - NAMED
  return html`<ul class="names">${all.slice(0, NAMED).map((name) => html`<li>${nameHtml(name)}</li>`)}${rest > 0 && html`<li>and ${rest} more</li>`}</ul>`
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
${areaField({ name: MUTE.reason, label: 'Reason', value: form.reason, rows: 2, error: form.errors.reason, help: `For whoever wonders why it is quiet. At most ${REASON_LIMIT.toLocaleString('en')} characters; may be empty.` })}`
}

function mutedList(data: MuteData): Html {
  const { first, rest } = data.muted
  const more = rest > 0 && html`<p class="help">and ${rest} more, which end later or not at all.</p>`
  return html`<ul class="muted-l">${first.map((one) => mutedLine(one, data))}</ul>${more}`
}

function mutedLine(listed: NamedSilence, data: MuteData): Html {
  const action = data.href(projectPath(data.slug, 'mute'))
  const { silence } = listed
  const again = silence.window && html`<br><small class="muted">Again ${windowWords(silence.window)}.</small>`
  return html`<li>${icon('mute')}<p><b>${silencedWords(listed, data)}</b> ${sentenceHtml(mutedSentence(silence, data.now), data)}${again}</p>${unmuteForm(silence, action, data.back)}</li>`
}

function silencedWords({ silence: { match }, checks }: NamedSilence, { projectName }: MuteData): Html {
  const tags = match.tags.map((tag) => html` <span class="tag">${bdi(tag)}</span>`)
  if (match.checks.length === 0) {
    return tags.length > 0 ? html`All checks with${tags}.` : html`All checks of ${bdi(projectName)}.`
  }
  const rest = match.checks.length - checks.length
  const named = checks.map(({ name }, index) => html`${index > 0 && ', '}${nameHtml(name)}`)
  return html`${named}${rest > 0 && html` and ${rest} more`}${tags.length > 0 && html`, if tagged${tags}`}.`
}
