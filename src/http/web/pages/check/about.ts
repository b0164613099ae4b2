/** The card with a check's description and ping rules. */
import type { Check } from '../../../../domain/check/check.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { linkedText } from '../../parts/linked-text.ts'
import { keyValues } from '../../parts/lists.ts'
import { timeTag } from '../../parts/words/clock.ts'
import { shown } from '../../parts/words/text.ts'
import type { CheckContext } from './context.ts'

const NUMBER = new Intl.NumberFormat('en')

export function aboutSection(check: Check, { canWrite, clock, tz, pageHref }: CheckContext): Html {
  const edit = { text: 'Edit', label: 'Edit name, tags and description', look: 'quiet', isSmall: true } as const
  const created = timeTag(check.createdAt, clock.day(check.createdAt), tz)
  const editRules = canWrite && html`<br><a href="${pageHref('edit?tab=rules')}">Edit rules</a>`
  const rows: readonly (readonly [string, HtmlValue])[] = [
    ['Slug', check.slug === '' ? 'none' : html`<code>${check.slug}</code>`],
    ['Rules', [...ruleWords(check).map((words, index) => [index > 0 && html`<br>`, words]), editRules]],
    ['Pings', html`<span class="num">${NUMBER.format(check.nPings)}</span>`],
    ['Created', created],
  ]
  return html`<section class="card" id="about" aria-labelledby="about-h"><header><h2 id="about-h">About</h2>${
    canWrite && linkButton({ ...edit, href: pageHref('edit') })
  }</header><div class="body form">${check.desc !== '' && html`<p>${linkedText(check.desc)}</p>`}${keyValues(rows)}</div></section>`
}

/** Returns one line of text for each of the check's ping rules. */
function ruleWords(check: Check): readonly HtmlValue[] {
  return [
    check.methods === 'POST' ? 'Only POST requests count' : 'Requests with any method count',
    ...keywordWords(check),
    ...(check.manualResume ? ['A paused check stays paused until someone resumes it'] : []),
  ]
}

function keywordWords(check: Check): readonly HtmlValue[] {
  const where = [
    ...(check.filterSubject ? ['email subjects'] : []),
    ...(check.filterBody ? ['email bodies'] : []),
    ...(check.filterHttpBody ? ['request bodies'] : []),
  ]
  if (where.length === 0) return ['No keywords']
  const keywords = [
    ['Start', check.startKw],
    ['Success', check.successKw],
    ['Failure', check.failureKw],
  ] as const
  return [
    `Keywords in ${where.join(', ')}`,
    ...(check.filterHttpBody ? [URL_OVERRIDDEN] : []),
    ...keywords.flatMap(([meaning, words]) => (words === '' ? [] : [html`${meaning}: <bdi>${shown(words)}</bdi>`])),
    `If no keyword matches: ${otherwise(check)}`,
  ]
}

const URL_OVERRIDDEN = html`<code>/start</code>, <code>/fail</code>, <code>/log</code> and exit statuses do not count`

function otherwise({ filterDefaultFail, mailDefaultSuccess }: Check): string {
  if (filterDefaultFail) return 'a failure'
  return mailDefaultSuccess ? 'emails are a success' : 'ignored'
}
