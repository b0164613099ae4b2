/**
 * The page for an alert that is sent to one integration. It shows the delivery attempts and their responses, the alert's position in the
 * queue, and buttons.
 */
import type { Attempt } from '../../../../domain/alert/attempt.ts'
import { attemptsMissing, attemptWords, laterError } from '../../../../domain/alert/attempt-words.ts'
import { type DeliveryEntry, quietEnd } from '../../../../domain/alert/delivery.ts'
import { givesUpAt, owedAt } from '../../../../domain/alert/retry.ts'
import type { OpenedDelivery } from '../../../../services/alerts/deliveries.ts'
import { keyOf } from '../../../../services/alerts/delivery-list.ts'
import type { PageContext } from '../../context.ts'
import { checkPath, integrationPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { channelKind, channelName } from '../../parts/channels.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { icon } from '../../parts/icons.ts'
import { card, keyValues } from '../../parts/lists.ts'
import { note } from '../../parts/notes.ts'
import { alertWords, deliveryState, NEWS_WORDS } from '../../parts/words/delivery-words.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { stateShape } from '../../parts/words/states.ts'
import { bdi, counted, shown, shownLines } from '../../parts/words/text.ts'
import { exactTime, timeOf, zoneLine } from '../../parts/words/times.ts'
import type { FrameContent } from '../../route.ts'
import { alertPath, alertsPath, liveAlertPath } from './query.ts'

export interface AlertData extends PageContext {
  readonly slug: string
  readonly opened: OpenedDelivery
  /** true if the reader may retry and cancel the alert, and see the message id */
  readonly canWrite: boolean
}

/** Renders the parts of the page that can change. The keys are element ids. */
export function alertParts(data: AlertData): Readonly<Record<string, Html>> {
  const { opened, canWrite } = data
  const { entry } = opened
  const cancelCard = canWrite && entry.delivery.state === 'pending' && card({ title: 'Cancel', body: cancel(data) })
  return {
    'alert-now': html`<span id="alert-now">${deliveryState(entry)} ${sentence(data)}</span>`,
    'alert-retry': html`<div id="alert-retry">${canWrite && isRetried(entry) && retryForm(data)}</div>`,
    alert: html`<div class="stack" id="alert">${opened.isOutdated && note('late', OUTDATED)}${card({ title: 'Attempts', body: tries(data) })}
${card({ title: 'About this alert', body: facts(data) })}
${cancelCard}</div>`,
  }
}

export function alertPage(data: AlertData): FrameContent {
  const { slug, opened, tz } = data
  const { entry } = opened
  const { checkName, status } = entry
  const parts = alertParts(data)
  return {
    layout: 'frame',
    title: `${checkName === '' ? 'A check' : checkName} ${NEWS_WORDS[status]}`,
    heading: alertWords(entry),
    crumbs: [{ path: alertsPath(slug), text: 'Alerts' }],
    live: liveAlertPath(slug, keyOf(entry)),
    intro: parts['alert-now'],
    actions: parts['alert-retry'],
    body: html`${parts.alert}${zoneLine(tz)}`,
  }
}

/**
 * Returns whether the user can retry the alert. An alert that is waiting for an earlier alert, or for quiet hours to end, can't be retried.
 */
function isRetried(entry: DeliveryEntry): boolean {
  return entry.delivery.state === 'failed' || (entry.nextAttemptAt !== null && quietEnd(entry) === null)
}

function to({ opened: { entry } }: AlertData): Html | string {
  return channelName({ name: entry.channelName, kind: entry.channelKind })
}

function sentence(data: AlertData): Html {
  const { now, tz, opened } = data
  const { delivery, nextAttemptAt, endedAt } = opened.entry
  const ended = endedAt && html` ${timeOf('at', endedAt, now, tz)}`
  if (delivery.state === 'sent') return html`to ${to(data)}${ended}.`
  if (delivery.state === 'failed')
    return html`${ended} – ${to(data)} did not get this alert. It will not be sent again unless someone retries it.`
  if (nextAttemptAt === null) return html`– will be sent to ${to(data)} after an earlier alert of this check.`
  const quiet = quietEnd(opened.entry)
  if (quiet !== null)
    return html`– held during the quiet hours of ${to(data)}, until ${timeOf('clock', quiet, now, tz)}.`
  return html`– next attempt to reach ${to(data)} ${timeOf('at', nextAttemptAt, now, tz)}.`
}

const OUTDATED =
  'A later alert of this check has already arrived. If you send this one now, the receiver will see an outdated state of the check.'

/** Renders the retry button. If the alert is outdated, a form field also records that the page showed a warning. */
function retryForm(data: AlertData): Html {
  if (!data.opened.isOutdated) return actionForm(data, 'retry', 'Retry now')
  const path = data.href(alertPath(data.slug, keyOf(data.opened.entry)))
  const button = submit({ text: 'Send it anyway', field: { name: 'action', value: 'retry' } })
  return html`<form method="post" action="${path}"><input type="hidden" name="outdated" value="on">${button}</form>`
}

function actionForm(data: AlertData, action: string, text: string, isDanger = false): Html {
  const path = data.href(alertPath(data.slug, keyOf(data.opened.entry)))
  return html`<form method="post" action="${path}">${submit({ text, look: isDanger ? 'danger' : 'plain', field: { name: 'action', value: action } })}</form>`
}

function facts(data: AlertData): Html {
  const { slug, opened, now, tz, href, canWrite } = data
  const { entry, behind } = opened
  const { delivery, checkName, checkPublicId, channelKind: kind } = entry
  const check = html`<a href="${href(checkPath(slug, checkPublicId))}">${checkName === '' ? html`<i>no name</i>` : bdi(checkName)}</a>`
  const integration = canWrite
    ? html`<a href="${href(integrationPath(slug, delivery.channelId))}">${to(data)}</a>`
    : to(data)
  const rows: (readonly [string, HtmlValue])[] = [
    ['Check', check],
    ['Integration', html`${integration} <span class="muted">${channelKind(kind)}</span>`],
    ['Triggered', exactTime(delivery.createdAt, tz)],
    ['Tries', String(delivery.attempts)],
    ...(canWrite ? [['Message id', html`<code>${delivery.id}</code>, the same in each attempt`] as const] : []),
    ['Order', orderWords(data, behind)],
    ...(opened.late.length > 0 ? [['Late ping', sentenceHtml(opened.late, { now, tz })] as const] : []),
  ]
  if (delivery.state === 'pending') rows.push(['Retried until', timeOf('at', givesUpAt(owedAt(delivery)), now, tz)])
  return keyValues(rows)
}

function orderWords(data: AlertData, behind: number): HtmlValue {
  const { delivery, nextAttemptAt } = data.opened.entry
  if (delivery.state !== 'pending') return 'no later alerts are waiting for this one'
  const waiting =
    behind > 0 &&
    html`${counted(behind, 'later alert', 'later alerts')} to ${to(data)} ${behind === 1 ? 'is' : 'are'} waiting for this one`
  const itself = nextAttemptAt === null && 'will be sent after an earlier alert of this check'
  if (itself !== false && waiting !== false) return html`${itself}; ${waiting}`
  return itself || waiting || 'no later alerts are waiting for this one'
}

function tries({ opened: { entry, attempts }, now, tz }: AlertData): Html {
  const missing = attemptsMissing(entry, attempts)
  const error = laterError(entry, attempts)
  const later = error !== null && html`<li>${stateShape('down')}<p><b>${shown(error)}</b></p></li>`
  const clock = areClose(attempts) ? 'at-second' : 'at'
  if (attempts.length === 0 && later === false) return html`<p class="muted">No attempt has finished yet.</p>`
  return html`<ol class="line">${later}${attempts.map((attempt) => tryLine(attempt, timeOf(clock, attempt.beganAt, now, tz)))}${
    missing > 0 &&
    html`<li>${icon('dots')}<p>${counted(missing, 'earlier attempt is', 'earlier attempts are')} no longer stored.</p></li>`
  }</ol>`
}

/** Returns whether any attempts started in the same minute. If so, the page shows their times with seconds. */
function areClose(attempts: readonly Attempt[]): boolean {
  const minutes = new Set(attempts.map(({ beganAt }) => Math.floor(beganAt.epochMilliseconds / 60_000)))
  return minutes.size < attempts.length
}

function tryLine(attempt: Attempt, began: Html): Html {
  const { error, answer } = attempt
  const { result, why, took } = attemptWords(attempt)
  const shape = error === null ? stateShape('up') : icon('cross')
  return html`<li>${shape}<p>${began} <b>${shown(result)}</b>${why && html` ${shown(why)}`} <span class="muted">in ${took}</span></p>${answer && answerDetails(answer)}</li>`
}

function answerDetails({ headers, body }: NonNullable<Attempt['answer']>): HtmlValue {
  if (headers.length === 0 && body === '') return null
  const lines = headers.map(([name, value]) => html`<dt>${name}</dt><dd>${bdi(value)}</dd>`)
  return html`<details class="answer"><summary>Response</summary>${headers.length > 0 && html`<dl class="kv">${lines}</dl>`}${
    body !== '' &&
    html`<pre class="out" dir="auto" tabindex="0" role="group" aria-label="Response of the receiver">${shownLines(body)}</pre>`
  }</details>`
}

function cancel(data: AlertData): Html {
  const { behind } = data.opened
  const next = behind > 0 && html` The next alert will be sent instead.`
  return html`<div class="stack"><p>If you cancel this alert, ${to(data)} will not get it unless someone retries it.${next}</p><div class="acts">${actionForm(data, 'cancel', 'Cancel this alert', true)}</div></div>`
}
