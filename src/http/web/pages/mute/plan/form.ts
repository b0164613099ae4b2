/**
 * The form for planning a one-time window or recurring windows. The style sheet hides the fields for the other kind. The form still submits
 * them, so that users don't lose what they typed when they switch. While the user types, the script requests an explanation of the fields.
 */
import { PLAN_KINDS, type PlanKind, type TypedPlan } from '../../../../../domain/silence/typed-plan.ts'
import type { PageContext } from '../../../context.ts'
import { projectPath } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import { ENTER, formActs, submit } from '../../../parts/forms/buttons.ts'
import {
  belowHtml,
  type Field,
  type FieldErrors,
  firstBad,
  hiddenField,
  hiddenFields,
  textField,
} from '../../../parts/forms/fields.ts'
import { belowWindowFields, belowWindowSelectors, windowFields } from '../../../parts/forms/window-fields.ts'
import { zoneList } from '../../../parts/forms/zone-list.ts'
import { MUTE, PLAN_PAGE, SILENCE, scopePairs } from '../../../parts/mute.ts'
import { zoneLine } from '../../../parts/words/times.ts'
import type { FrameContent } from '../../../route.ts'
import { type NamedScope, scopeNames, scopeWords } from '../names.ts'
import { reasonField } from '../reason.ts'
import { PREVIEW } from './preview.ts'
import { PLAN, PLAN_FIELDS, WINDOW } from './values.ts'

export interface PlanData extends PageContext, NamedScope {
  readonly slug: string
  /** the silence that is being changed, and its checks in words; null for a new silence */
  readonly changed: { readonly id: string; readonly words: Html } | null
  /** local path of the next page */
  readonly back: string
  readonly typed: TypedPlan
  readonly reason: string
  readonly errors: FieldErrors
  readonly meaning: Html
}

const INTRO =
  'Nobody is alerted during a window. Checks are still monitored, and if a check is down when the window ends, the alert is sent then.'

const KIND_WORDS: Readonly<Record<PlanKind, string>> = { once: 'Once', again: 'Repeated' }

/** Selectors of the elements that change while the user types. */
const LIVE_PARTS = [
  '#window-means',
  ...[PLAN.startDay, PLAN.endDay, PLAN.lastDay].map((name) => `#${name}-below`),
  ...belowWindowSelectors(WINDOW),
]

export function planPage(data: PlanData): FrameContent {
  const { href, slug, back, changed, reason, errors, tz } = data
  const action = href(projectPath(slug, PLAN_PAGE))
  const about = changed === null ? scopePairs(data.scope) : [[SILENCE, changed.id] as const]
  const fields = html`${kindField(data)}${onceFields(data)}${againFields(data)}`
  return {
    layout: 'frame',
    title: changed === null ? 'Plan a window' : 'Change a window',
    heading: changed === null ? html`Plan a window for ${scopeWords(data)}` : 'Change a window',
    intro: INTRO,
    crumbs: [{ path: projectPath(slug, 'checks'), text: 'Checks' }],
    isNarrow: true,
    body: html`<div class="stack"><form class="form plan" method="post" action="${action}" autocomplete="off">${ENTER}${hiddenFields(about)}${hiddenField(MUTE.back, back)}
${changed === null ? scopeNames(data) : html`<p><b>${changed.words}</b></p>`}
<div class="form" data-preview="${action}/preview" data-preview-into="${LIVE_PARTS.join()}">${fields}</div>
${reasonField(reason, errors.reason)}
${meaningCard(data.meaning)}
${formActs({ text: changed === null ? 'Plan window' : 'Save window', look: 'primary', icon: 'mute' }, href(back))}</form>${zoneLine(tz)}</div>`,
  }
}

function meaningCard(meaning: Html): Html {
  const preview = submit({ text: 'Preview', label: 'Preview window', isSmall: true, field: PREVIEW })
  return html`<section class="card preview" aria-labelledby="meaning-h"><header><h2 id="meaning-h">What this means</h2><span class="live">as you type</span><noscript>${preview}</noscript></header>${meaningPart(meaning)}</section>`
}

/** Renders an explanation of the form's values, which is updated while the user types. */
export function meaningPart(meaning: Html): Html {
  return html`<div class="body" id="window-means" role="status">${meaning}</div>`
}

function kindField({ typed }: PlanData): Html {
  const kinds = PLAN_KINDS.map(
    (kind) =>
      html`<label><input type="radio" name="${PLAN.kind}" value="${kind}"${kind === typed.kind && html` checked`}>${KIND_WORDS[kind]}</label>`,
  )
  return html`<fieldset class="field"><legend>How often</legend><div class="seg">${kinds}</div></fieldset>`
}

function onceFields(data: PlanData): Html {
  const { typed } = data
  const start = dayAndTime(data, PLAN.startDay, 'Starts on', typed.startDay, PLAN.startTime, typed.startTime)
  const end = dayAndTime(data, PLAN.endDay, 'Ends on', typed.endDay, PLAN.endTime, typed.endTime)
  return html`<div class="form of-once">${start}${end}</div>`
}

function dayAndTime(
  { errors }: PlanData,
  dayName: string,
  dayLabel: string,
  day: string,
  timeName: string,
  time: string,
): Html {
  const label = `${dayLabel.replace(' on', '')} at, 24 hours`
  const field = { ...liveField(dayName, errors), label: dayLabel, hasFocus: firstBad(PLAN_FIELDS, errors) === dayName }
  return html`<div class="until-f">${textField({ ...field, type: 'date', value: day })}
${textField({ name: timeName, label, value: time, maxLength: 5, isCode: true })}</div>`
}

function againFields({ typed, errors }: PlanData): Html {
  const focus = firstBad(PLAN_FIELDS, errors)
  const last = { ...liveField(PLAN.lastDay, errors), label: 'Last day', hasFocus: focus === PLAN.lastDay }
  return html`<div class="form of-again">${windowFields({ prefix: WINDOW, typed: typed.window, errors }, focus)}${zoneList()}
${textField({ ...last, type: 'date', value: typed.lastDay })}</div>`
}

/** Renders the content below the fields, for the script. */
export function belowPlanFields({ typed, errors }: Pick<PlanData, 'typed' | 'errors'>): Html {
  const days = [PLAN.startDay, PLAN.endDay, PLAN.lastDay].map((name) => belowHtml(liveField(name, errors)))
  return html`${days}${belowWindowFields({ prefix: WINDOW, typed: typed.window, errors })}`
}

const LAST_DAY_HELP = 'No window begins after this day. If empty, windows recur until someone ends them.'

function liveField(name: string, errors: FieldErrors): Omit<Field, 'label'> {
  const help = name === PLAN.lastDay && { help: LAST_DAY_HELP }
  return { name, error: errors[name], isLive: true, ...help }
}
