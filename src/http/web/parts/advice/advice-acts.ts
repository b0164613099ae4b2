/** What can be done about an advice: its fix, a look at the fix before it is made, and "Not now". */
import type { Advice, Fix, FixQuestion } from '../../../../domain/advice/advice.ts'
import { fixLabel } from '../../../../domain/advice/fix-words.ts'
import type { AdviceKey } from '../../../../domain/advice/stored-advice.ts'
import type { Form } from '../../form.ts'
import { checkPath, type Href, projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { linkButton, submit } from '../forms/buttons.ts'
import { hiddenField } from '../forms/fields.ts'

export interface AdvicePlace {
  readonly href: Href
  /** of the project */
  readonly slug: string
  /** public ids of the checks with this advice; one that all others are like comes first */
  readonly checks: readonly [string, ...string[]]
  /** a local path: where the buttons lead back to */
  readonly back: string
  /** for screen readers, after the words of each button: which check; '' where the page has only one */
  readonly of: string
  /** true: an outage would not have been found with this fix, so that it is looked at first */
  readonly isRisky: boolean
}

/** What the buttons ask for. */
export const ADVICE_ACTIONS = { fix: 'fix', later: 'later', again: 'again' } as const

export const FIX_PARAMETER = 'fix'

/** Lets a form of the check have what an advice proposes. @param index of the reading: 0 is that of the button */
export function fixQuery({ kind }: Pick<Advice, 'kind'>, index: number): string {
  return `?${FIX_PARAMETER}=${kind}.${index}`
}

/** The id of the card with the lines for a job, on the page of its check. */
export const LINES_ID = 'fix-lines'

export function adviceActs(advice: Advice, place: AdvicePlace): Html {
  const later = submit({
    text: words('Not now', place),
    look: 'quiet',
    isSmall: true,
    field: { name: 'action', value: ADVICE_ACTIONS.later },
  })
  return adviceForm(advice, place, html`${fixButtons(advice, place)}${later}`)
}

/** Puts an advice that was put off back among the others. */
export function againButton(advice: AdviceKey, place: AdvicePlace, text: string): Html {
  const field = { name: 'action', value: ADVICE_ACTIONS.again }
  return adviceForm(advice, place, submit({ text: words(text, place), isSmall: true, field }))
}

function adviceForm({ kind, variant, fix }: AdviceKey, place: AdvicePlace, buttons: HtmlValue): Html {
  const { href, slug, checks, back } = place
  const named = { kind, variant, fix: JSON.stringify(fix), back }
  const fields = Object.entries(named).map(([name, value]) => hiddenField(name, value))
  return html`<form class="acts" method="post" action="${href(projectPath(slug, 'advice'))}">${fields}${checks.map((id) => hiddenField('c', id))}${buttons}</form>`
}

/** What a form of {@link adviceActs} names: one of the advice of a check. */
export interface NamedAdvice {
  readonly kind: string
  readonly variant: string
  /** as JSON */
  readonly fix: string
}

export function readNamedAdvice({ text }: Form): NamedAdvice {
  return { kind: text('kind'), variant: text('variant'), fix: text('fix') }
}

function fixButtons(advice: Advice, place: AdvicePlace): HtmlValue {
  const { fix } = advice
  const { href, slug, checks, isRisky } = place
  const [first] = checks
  const link = (path: string, text: HtmlValue) =>
    linkButton({ text, isSmall: true, href: href(checkPath(slug, first)) + path })
  switch (fix.do) {
    case 'set': {
      const form = fix.settings.methods === undefined ? '/schedule' : '/rules'
      const look = link(form + fixQuery(advice, 0), words('Look', place))
      return isRisky ? look : [fixButton(fix, place), look]
    }
    case 'resume':
      return fixButton(fix, place)
    case 'text':
      return link(`#${LINES_ID}`, words(fixLabel(fix), place))
    case 'ask':
      return linkButton({ text: words(fixLabel(fix), place), isSmall: true, href: href(answerPath(fix.about, place)) })
  }
}

function fixButton(fix: Fix, place: AdvicePlace): Html {
  const number = place.checks.length
  const text = number > 1 ? `${fixLabel(fix)} in all ${number}` : fixLabel(fix)
  const field = { name: 'action', value: ADVICE_ACTIONS.fix }
  return submit({ text: words(text, place), look: 'primary', isSmall: true, field })
}

function words(text: string, { of }: AdvicePlace): HtmlValue {
  return of === '' ? text : html`${text}<span class="sr">: ${of}</span>`
}

/** The page on which a question is answered. */
function answerPath(about: FixQuestion, { slug, checks: [first] }: AdvicePlace): string {
  switch (about) {
    case 'channels':
      return `${checkPath(slug, first)}#alerts`
    case 'rules':
      return checkPath(slug, first, 'rules?try=newest')
    case 'schedule':
    case 'clocks':
      return checkPath(slug, first, 'schedule')
    case 'did-it-run':
    case 'slower':
      return checkPath(slug, first, 'log')
    case 'failures':
      return checkPath(slug, first, 'log?kind=failed&kind=ok')
    case 'twins':
      return projectPath(slug, 'checks')
  }
}
