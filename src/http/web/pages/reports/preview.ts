/** `/p/<project>/reports/<integration>`: a report or a reminder as it would be sent now. */
import { REPORT_PERIODS, type ReportPeriod } from '../../../../domain/mail/mail-channel.ts'
import type { MailingKind } from '../../../../domain/mail/mailing.ts'
import type { Deps } from '../../../../services/deps.ts'
import type { LongReads } from '../../../../services/long-reads.ts'
import { type MailingPreview, previewMailing } from '../../../../services/mail/mailing-preview.ts'
import { getSubscription } from '../../../../services/mail/subscriptions.ts'
import { projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { channelName } from '../../parts/channels.ts'
import { card, keyValues } from '../../parts/lists.ts'
import { mailFrame } from '../../parts/mail-frame.ts'
import { note } from '../../parts/notes.ts'
import { bdi, shownLines } from '../../parts/text.ts'
import type { FrameContent, PageAnswer, ProjectVisit } from '../../route.ts'
import { REPORT_WORDS } from './subscription-card.ts'

export type PreviewDeps = Pick<Deps, 'store' | 'now' | 'site'> & { readonly longReads: LongReads }

/** `?kind=reminder`, or `?kind=report&period=weekly`; the period of the integration by default. */
export async function previewAnswer(deps: PreviewDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, params, url, site } = visit
  const { slug, id } = actor.project
  const { channel, mail } = await getSubscription(deps, actor, params.channel ?? '')
  const kind: MailingKind = url.searchParams.get('kind') === 'reminder' ? 'reminder' : 'report'
  const asked = REPORT_PERIODS.find((period) => period === url.searchParams.get('period'))
  const period = asked ?? mail.report ?? 'monthly'
  // Of an integration that asks for no reminders, one as if it did.
  const settings = { ...mail, report: period, reminder: mail.reminder ?? ('daily' as const) }
  const preview = await deps.longReads.during(id, () => previewMailing(deps, actor, kind, settings))
  const listPath = projectPath(slug, 'reports')
  const path = `${site.href(listPath)}/${channel.id}`
  return { kind: 'page', page: previewPage({ listPath, path, name: channelName(channel), kind, period, preview }) }
}

export interface PreviewData {
  /** of the page of all reports, without the path of SITE_ROOT */
  readonly listPath: string
  /** of this page, with it */
  readonly path: string
  /** of the integration */
  readonly name: HtmlValue
  readonly kind: MailingKind
  readonly period: ReportPeriod
  /** null: nothing would be sent */
  readonly preview: MailingPreview | null
}

export function previewPage({ listPath, path, name, kind, period, preview }: PreviewData): FrameContent {
  const link = (search: string, words: string, isHere: boolean) =>
    html`<a href="${path}?${search}"${isHere && html` aria-current="page"`}>${words}</a>`
  const reports = REPORT_PERIODS.map((each) =>
    link(`kind=report&period=${each}`, `${REPORT_WORDS[each]} report`, kind === 'report' && each === period),
  )
  const tabs = html`<nav class="seg" aria-label="Email">${reports}${link('kind=reminder', 'Reminder', kind === 'reminder')}</nav>`
  return {
    layout: 'frame',
    title: 'Preview',
    here: 'reports',
    crumbs: [{ path: listPath, text: 'Reports' }],
    intro: html`What ${name} would get if it were sent now.`,
    body: html`<div class="stack">${tabs}${preview === null ? nothing(kind) : opened(preview)}</div>`,
  }
}

function nothing(kind: MailingKind): Html {
  return note(
    'plain',
    kind === 'report'
      ? 'Nothing would be sent: no check of this project has been pinged in the last 180 days.'
      : 'Nothing would be sent: no check of this project is down.',
  )
}

function opened({ subject, text, html: markup }: MailingPreview): Html {
  return html`${card({ title: 'Email', body: keyValues([['Subject', html`<b>${bdi(subject)}</b>`]]) })}
<section class="card" aria-labelledby="as-html"><header><h2 id="as-html">HTML</h2><p>without colours and links, which this page does not show</p></header>${mailFrame(markup)}</section>
<section class="card said" aria-labelledby="as-text"><header><h2 id="as-text">Text</h2></header><pre class="out" dir="auto" tabindex="0" role="group" aria-label="Text of the email">${shownLines(text)}</pre></section>`
}
