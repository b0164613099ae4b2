/** The buttons for advice: its fix, a preview of the fix, and "Not now". */

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
  /** the project's slug */
  readonly slug: string
  /** public ids of the checks with this advice; links lead to the first check */
  readonly checks: readonly [string, ...string[]]
  /** local path of the page that the buttons lead back to */
  readonly back: string
  /** the check's name, which screen readers read after each button's text; '' if the page shows only one check */
  readonly of: string
  /** true if the fix would have missed an outage, so that the user should preview it first */
  readonly isRisky: boolean
}

/** Values for the buttons' form field. */
export const ADVICE_ACTIONS = { fix: 'fix', later: 'later', again: 'again' } as const

export const FIX_PARAMETER = 'fix'

/**
 * Returns the query for {@link editPath} that fills in the settings from advice.
 * @param index index of the alternative; the button applies alternative 0
 */
export function fixQuery({ kind }: Pick<Advice, 'kind'>, index: number): Readonly<Record<string, string>> {
  return { [FIX_PARAMETER]: `${kind}.${index}` }
}

/** Id of the card on a check's page that shows lines to add to a job. */
export const LINES_ID = 'fix-lines'
/** Query parameter for the kind of lines on that page, as in `?lines=lock`. */
export const LINES_PARAMETER = 'lines'

/** Renders the buttons. For a group of checks, it does not render a link, because each check has its own (see {@link fixLink}). */
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

/** Renders the button that undoes "Not now". */
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

/** Reads from a submitted form which advice the form is about. {@link adviceActs} renders such forms. */
export function readNamedAdvice({ text }: Form): NamedAdvice {
  return { kind: text('kind'), variant: text('variant'), fix: text('fix') }
}

/**
 * Renders a link to the page where the user applies or previews the fix for the first check. Renders nothing if the fix does not need a
 * preview.
 */
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

/** Renders the button that applies a fix; null if the fix needs more than one click. */
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

/** Returns the path of the page where the user answers a question. */
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
