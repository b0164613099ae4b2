/** The list of alerts, and the filters above it. */
import type { DeliveryCounts, DeliveryState } from '../../../../domain/alert/delivery.ts'
import { LIST_ORDER, PERIODS, type Period } from '../../../../domain/alert/delivery-list.ts'
import type { AlertedEvent } from '../../../../services/alerts/alerted-events.ts'
import type { DeliveryList } from '../../../../services/alerts/delivery-list.ts'
import type { UntoldIncident } from '../../../../services/incidents/untold.ts'
import type { PageContext } from '../../context.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { channelName } from '../../parts/channels.ts'
import { empty } from '../../parts/empty.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { hiddenFields } from '../../parts/forms/fields.ts'
import { icon } from '../../parts/icons.ts'
import { approximately, DELIVERY_LOOKS } from '../../parts/words/delivery-words.ts'
import { stateShape } from '../../parts/words/states.ts'
import { bdi } from '../../parts/words/text.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent } from '../../route.ts'
import { eventRow } from './event-row.ts'
import { type AlertsQuery, alertsPath, livePath, pairsOf, searchOf } from './query.ts'
import { untoldRow } from './untold-row.ts'

export interface AlertsData extends PageContext {
  readonly slug: string
  readonly query: AlertsQuery
  readonly list: DeliveryList
  /** events of the listed alerts, in display order */
  readonly events: readonly AlertedEvent[]
  /** incidents for which no alert was sent, newest first */
  readonly untold: readonly UntoldIncident[]
  /** true if the reader may retry alerts */
  readonly canWrite: boolean
}

/** Renders the parts of the page that can change. The keys are element ids. */
export function listParts(data: AlertsData): Readonly<Record<string, Html>> {
  const back = alertsPath(data.slug) + searchOf(data.query)
  const rows = [
    ...data.untold.map((one) => untoldRow(one, data)),
    ...data.events.map((event) => eventRow(event, { ...data, back })),
  ]
  const { pending = 0 } = data.list.counts ?? {}
  return {
    'retry-all': html`<div id="retry-all">${data.canWrite && pending > 0 && retryAllButton(data)}</div>`,
    'alert-words': html`<span id="alert-words">${intro(data)}</span>`,
    ...Object.fromEntries(LIST_ORDER.map((state) => [numberId(state), stateNumber(state, data.list.counts)])),
    'alert-list': html`<div id="alert-list">${rows.length > 0 ? html`<ul class="card alert-rows" aria-label="Alerts">${rows}</ul>` : nothing(data)}</div>`,
  }
}

export function alertsPage(data: AlertsData): FrameContent {
  const { slug, list, href, tz, query } = data
  const parts = listParts(data)
  const older = list.next && href(alertsPath(slug) + searchOf({ ...query, place: list.next }))
  const hasRows = data.events.length + data.untold.length > 0
  return {
    layout: 'frame',
    title: 'Alerts',
    live: livePath(slug, query),
    intro: parts['alert-words'],
    actions: parts['retry-all'],
    body: html`${filterBar(data)}
${parts['alert-list']}
${older !== null && html`<p class="rest">${linkButton({ text: hasRows ? 'Older' : 'Look further back', href: older })}</p>`}${zoneLine(tz)}`,
  }
}

function intro({ list: { counts, check, channel } }: AlertsData): Html {
  if (check !== null)
    return html`Alerts of ${check.name === '' ? 'a check without a name' : bdi(check.name)}, and whether they arrived.`
  const of = channel === null ? 'Every alert' : html`Every alert to ${channelName(channel)}`
  const sum = counts && ` ${approximately(counts.pending)} waiting, ${approximately(counts.failed)} failed.`
  return html`${of} and whether it arrived.${sum}`
}

function retryAllButton({ slug, href }: AlertsData): Html {
  const button = submit({ text: 'Retry all waiting', icon: 'send', field: { name: 'action', value: 'retry-all' } })
  return html`<form method="post" action="${href(alertsPath(slug))}">${button}</form>`
}

function nothing({ list, query, href, slug }: AlertsData): Html {
  if (list.next !== null) return html`<p class="rest">None of the newest alerts matches.</p>`
  const isFiltered = searchOf({ ...query, place: null }) !== ''
  if (isFiltered) {
    const clear = linkButton({ text: 'Clear', href: href(alertsPath(slug)) })
    return empty({ title: 'No alerts match', text: 'Try a different text, state or period.', actions: clear })
  }
  const all = linkButton({ text: 'Show all', href: href(alertsPath(slug) + searchOf({ ...query, period: 'all' })) })
  const text =
    'When a check goes down or recovers, each of its integrations gets an alert. This list shows whether it arrived.'
  return empty({ title: 'No alerts in the last 7 days', text, actions: all })
}

const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
  all: 'All',
}

function filterBar(data: AlertsData): Html {
  const { slug, query, href, list } = data
  const path = href(alertsPath(slug))
  const hidden = hiddenFields(pairsOf({ ...query, text: '', place: null }))
  return html`<form class="filters" role="search" action="${path}" aria-label="Filter alerts">
<div class="search">${icon('search')}<input class="in" type="search" name="q" value="${query.text}" maxlength="200" aria-label="Filter by check or integration" placeholder="Check or integration" autocomplete="off" spellcheck="false" autocapitalize="none" data-key="/"><kbd aria-hidden="true">/</kbd></div>${hidden}
<div class="chips scroll" role="group" aria-label="State">${openChip(path, query)}${LIST_ORDER.map((state) => stateChip(path, query, state, list.counts))}</div>
${subjectChips(path, data)}<details class="drop"><summary class="chip">${PERIOD_WORDS[query.period]}${icon('down')}</summary><ul class="panel">${PERIODS.map((period) => periodLink(path, query, period))}</ul></details>
</form>`
}

function numberId(state: DeliveryState): string {
  return `n-${state}`
}

function stateNumber(state: DeliveryState, counts: DeliveryCounts | null): Html {
  return html`<span id="${numberId(state)}">${counts && html` <b>${approximately(counts[state])}</b>`}</span>`
}

function stateChip(path: string, query: AlertsQuery, state: DeliveryState, counts: DeliveryCounts | null): Html {
  const isOn = query.state === state
  // Alerts that have not been attempted yet also count as pending.
  const { word, shape } = DELIVERY_LOOKS[state === 'pending' ? 'waiting' : state]
  const to = path + searchOf({ ...query, state: isOn ? null : state, place: null })
  return html`<a class="chip" href="${to}"${isOn && html` aria-current="true"`}>${stateShape(shape)}${word}${stateNumber(state, counts)}${isOn && icon('cross', 'x')}</a>`
}

function openChip(path: string, query: AlertsQuery): Html {
  const { isOpen } = query
  const to = path + searchOf({ ...query, isOpen: !isOpen, place: null })
  return html`<a class="chip" href="${to}"${isOpen && html` aria-current="true"`}>Still open${isOpen && icon('cross', 'x')}</a>`
}

/** Renders a link for each active check or integration filter. The link removes the filter. */
function subjectChips(path: string, { query, list: { check, channel } }: AlertsData): HtmlValue {
  const chip = (words: HtmlValue, without: Partial<AlertsQuery>) =>
    html`<a class="chip" href="${path}${searchOf({ ...query, ...without, place: null })}" aria-current="true">${words}<span class="sr">: show all</span>${icon('cross', 'x')}</a>`
  return [
    check && chip(check.name === '' ? 'a check' : bdi(check.name), { check: null }),
    query.channelId !== null &&
      chip(channel === null ? 'a deleted integration' : channelName(channel), { channelId: null }),
  ]
}

function periodLink(path: string, query: AlertsQuery, period: Period): Html {
  const to = path + searchOf({ ...query, period, place: null })
  return html`<li><a href="${to}"${period === query.period && html` aria-current="true"`}>${PERIOD_WORDS[period]}</a></li>`
}
