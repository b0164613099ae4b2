/** A row in the list of alerts. It shows the event, its check, the alerted integrations and the time. It expands to show the details. */
import type { Instant } from '../../../../lib/time.ts'
import type { PageContext } from '../../context.ts'
import { checkPath, incidentPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { icon } from '../../parts/icons.ts'
import { bdi } from '../../parts/words/text.ts'
import { timeOf } from '../../parts/words/times.ts'

export interface RowContext extends PageContext {
  readonly slug: string
}

interface AlertRow {
  readonly id: string
  readonly isUnfolded: boolean
  readonly shape: Html
  readonly what: Html
  /** small text below the event; null if there is none */
  readonly more: Html | null
  readonly to: HtmlValue
  readonly at: Instant
  /** content shown when the row is expanded */
  readonly each: Html
}

export function alertRow({ id, isUnfolded, shape, what, more, to, at, each }: AlertRow, { now, tz }: RowContext): Html {
  const sub = more && html`<span class="sub">${more}</span>`
  return html`<li id="${id}"><details${isUnfolded && html` open`}><summary>${shape}<span class="alert">${what}${sub}</span><span class="to">${to}</span><span class="when">${timeOf('at', at, now, tz)}</span>${icon('right')}</summary><div class="each">${each}</div></details></li>`
}

export function nameHtml(checkName: string): Html {
  return checkName === '' ? html`<i>no name</i>` : bdi(checkName)
}

/** @param n the incident's number; null if unknown */
export function rowLinks(checkPublicId: string, n: number | null, { href, slug }: RowContext): Html {
  const incident =
    n !== null &&
    linkButton({ text: 'Open the incident', isSmall: true, href: href(incidentPath(slug, checkPublicId, n)) })
  return html`${incident}${linkButton({ text: 'Open the check', isSmall: true, href: href(checkPath(slug, checkPublicId)) })}`
}
