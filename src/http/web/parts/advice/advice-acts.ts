/** Answers to an advice: its fix, a look at the fix before it is made, and "Not now". */

import type { Advice, Fix, FixQuestion } from '../../../../domain/advice/advice.ts'
import { fixLabel } from '../../../../domain/advice/fix-words.ts'
import type { AdviceKey } from '../../../../domain/advice/stored-advice.ts'
import type { NamedAdvice } from '../../../../services/advice/answers.ts'
import type { Form } from '../../form.ts'
import { checkPath, editPath, type Href, projectPath } from '../../href.ts'
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

/** Values of the buttons. */
export const ADVICE_ACTIONS = { fix: 'fix', later: 'later', again: 'again' } as const

export const FIX_PARAMETER = 'fix'

/** Fills in what an advice proposes, for {@link editPath}. @param index of the reading: 0 is that of the button */
export function fixQuery({ kind }: Pick<Advice, 'kind'>, index: number): Readonly<Record<string, string>> {
  return { [FIX_PARAMETER]: `${kind}.${index}` }
}

/** The id of the card with the lines for a job, on the page of its check. */
export const LINES_ID = 'fix-lines'
/** Says in the address of that page which lines: `?lines=lock`. */
export const LINES_PARAMETER = 'lines'

/** Links lead to one check: those of several checks stand beside each, see {@link fixLink}. */
export function adviceActs(advice: Advice, place: AdvicePlace): Html {
  const later = submit({
    text: words('Not now', place),
    look: 'quiet',
    isSmall: true,
    field: { name: 'action', value: ADVICE_ACTIONS.later },
  })
  return adviceForm(
    advice,
    place,
    html`${fixButton(advice.fix, place)}${place.checks.length === 1 && fixLink(advice, place)}${later}`,
  )
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

/** The advice that a form of {@link adviceActs} names. */
export function readNamedAdvice({ text }: Form): NamedAdvice {
  return { kind: text('kind'), variant: text('variant'), fix: text('fix') }
}

/** Leads to the page of the first check on which the fix is made, or looked at before it is made; none for a fix that needs no look. */
export function fixLink({ kind, fix }: Pick<Advice, 'kind' | 'fix'>, place: AdvicePlace): HtmlValue {
  const { href, slug, checks } = place
  const [first] = checks
  const link = (text: string, path: string) => linkButton({ text: words(text, place), isSmall: true, href: href(path) })
  switch (fix.do) {
    case 'set': {
      const tab = fix.settings.methods === undefined ? 'schedule' : 'rules'
      return link('Look', editPath(slug, first, tab, fixQuery({ kind }, 0)))
    }
    case 'resume':
      return null
    case 'text':
      return link(fixLabel(fix), `${checkPath(slug, first)}?${LINES_PARAMETER}=${fix.text}#${LINES_ID}`)
    case 'ask':
      return link(fixLabel(fix), answerPath(fix.about, place))
  }
}

/** Null for a fix that is not of one click. */
function fixButton(fix: Fix, place: AdvicePlace): Html | null {
  if (fix.do !== 'resume' && (fix.do !== 'set' || place.isRisky)) return null
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
      return editPath(slug, first, 'alerts')
    case 'rules':
      return editPath(slug, first, 'rules', { try: 'newest' })
    case 'schedule':
    case 'clocks':
      return editPath(slug, first, 'schedule')
    case 'did-it-run':
    case 'slower':
      return checkPath(slug, first, 'log')
    case 'failures':
      return checkPath(slug, first, 'log?kind=failed&kind=ok')
    case 'twins':
      return projectPath(slug, 'checks')
  }
}
