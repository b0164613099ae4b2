/** `/p/<project>/reports/<integration>`: shows a report or a reminder as it would look if it were sent now. `…/email` returns its HTML. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import { Refusal } from '../../../../domain/errors.ts'
import type { MailingKind } from '../../../../domain/mail/mailing.ts'
import { REPORT_PERIODS, type ReportPeriod } from '../../../../domain/mail/report-period.ts'
import { type MailingPreview, previewMailing } from '../../../../services/mail/mailing-preview.ts'
import { getSubscription } from '../../../../services/mail/subscriptions.ts'
import { projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { channelName } from '../../parts/channels.ts'
import { card, keyValues } from '../../parts/lists.ts'
import { note } from '../../parts/notes.ts'
import { bdi, shownLines } from '../../parts/words/text.ts'
import type { FrameContent, PageAnswer, ProjectVisit } from '../../route.ts'
import { FRAMED_HEADERS, FRAMING_POLICY, HTML_TYPE } from '../../security-headers.ts'
import { REPORT_WORDS } from './subscription-card.ts'

/** Renders the preview for `?kind=reminder` or `?kind=report&period=weekly`. The period defaults to the integration's setting. */
export async function previewAnswer(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { channel, kind, period, preview } = await readPreview(deps, visit)
  const listPath = projectPath(visit.actor.project.slug, 'reports')
  const path = `${visit.site.href(listPath)}/${channel.id}`
  const page = previewPage({ listPath, path, name: channelName(channel), kind, period, preview })
  return { kind: 'page', page, headers: FRAMING_POLICY }
}

/**
 * Returns the email's HTML as a separate document, which the page embeds in a frame.
 * @throws Refusal `not-found` if nothing would be sent
 */
export async function previewDocument(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { preview } = await readPreview(deps, visit)
  if (preview === null) throw new Refusal('not-found', 'nothing would be sent now')
  return { kind: 'file', body: preview.html, headers: { ...HTML_TYPE, ...FRAMED_HEADERS } }
}

interface Previewed {
  readonly channel: Channel
  readonly kind: MailingKind
  readonly period: ReportPeriod
  /** the email's preview; null if nothing would be sent */
  readonly preview: MailingPreview | null
}

async function readPreview(deps: PageDeps, { actor, params, url }: ProjectVisit): Promise<Previewed> {
  const { channel, mail } = await getSubscription(deps, actor, params.channel ?? '')
  const kind: MailingKind = url.searchParams.get('kind') === 'reminder' ? 'reminder' : 'report'
  const asked = REPORT_PERIODS.find((period) => period === url.searchParams.get('period'))
  const period = asked ?? mail.report ?? 'monthly'
  // If the integration doesn't send reminders, preview a daily reminder.
  const settings = { ...mail, report: period, reminder: mail.reminder ?? ('daily' as const) }
  const preview = await deps.longReads.during(actor.by, () => previewMailing(deps, actor, kind, settings))
  return { channel, kind, period, preview }
}

interface PreviewData extends Omit<Previewed, 'channel'> {
  /** path of the page with all reports, without the SITE_ROOT path prefix */
  readonly listPath: string
  /** this page's path, including the SITE_ROOT path prefix */
  readonly path: string
  /** the integration's name */
  readonly name: HtmlValue
}

function previewPage({ listPath, path, name, kind, period, preview }: PreviewData): FrameContent {
  const source = `${path}/email?${kind === 'report' ? `kind=report&period=${period}` : 'kind=reminder'}`
  const link = (search: string, words: string, isHere: boolean) =>
    html`<a href="${path}?${search}"${isHere && html` aria-current="page"`}>${words}</a>`
  const reports = REPORT_PERIODS.map((each) =>
    link(`kind=report&period=${each}`, `${REPORT_WORDS[each]} report`, kind === 'report' && each === period),
  )
  const tabs = html`<nav class="seg" aria-label="Email">${reports}${link('kind=reminder', 'Reminder', kind === 'reminder')}</nav>`
  return {
    layout: 'frame',
    title: 'Preview',
    crumbs: [{ path: listPath, text: 'Reports' }],
    intro: html`The email that ${name} would get now.`,
    body: html`<div class="stack">${tabs}${preview === null ? nothing(kind) : opened(preview, source)}</div>`,
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

/**
 * Estimates the height of a sandboxed document in a wide window, in pixels. The page can't measure the document, so the estimate is based
 * on its text. The style sheet limits the frame's height.
 */
function guessHeight(text: string): number {
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARACTERS_PER_LINE)), 0)
  return lines * PX_PER_LINE
}
const CHARACTERS_PER_LINE = 80
const PX_PER_LINE = 32

/** @param source the document's path, including the SITE_ROOT path prefix */
function opened({ subject, text }: MailingPreview, source: string): Html {
  return html`${card({ title: 'Email', body: keyValues([['Subject', html`<b>${bdi(subject)}</b>`]]) })}
<section class="card" aria-labelledby="as-html"><header><h2 id="as-html">HTML</h2><p>links work only in the email</p></header><iframe class="mail" sandbox src="${source}" height="${guessHeight(text)}" title="HTML of the email" tabindex="0"></iframe></section>
<section class="card said" aria-labelledby="as-text"><header><h2 id="as-text">Text</h2></header><pre class="out" dir="auto" tabindex="0" role="group" aria-label="Text of the email">${shownLines(text)}</pre></section>`
}
