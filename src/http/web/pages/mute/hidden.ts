/** Warnings about checks whose runs or deadlines all fall within a window. */
import type { Hidden } from '../../../../domain/silence/hidden-runs.ts'
import { hiddenWords } from '../../../../domain/silence/words.ts'
import type { HiddenCheck } from '../../../../services/silences/planned.ts'
import { type Html, html } from '../../html.ts'
import { note } from '../../parts/notes.ts'
import { nameHtml } from './names.ts'

const KINDS: readonly Hidden[] = ['runs', 'deadlines']
/** Maximum number of checks to name. The rest are summarized as a count. */
const NAMED = 5

export function hiddenNotes(checks: readonly HiddenCheck[]): readonly Html[] {
  return KINDS.flatMap((kind) => {
    const names = checks.filter(({ hidden }) => hidden === kind).map(({ check }) => check.name)
    return names.length === 0 ? [] : [note('late', hiddenNote(kind, names))]
  })
}

function hiddenNote(kind: Hidden, names: readonly string[]): Html {
  const [before, after] = hiddenWords(kind)
  const rest = names.length - NAMED
  const named = names.slice(0, NAMED).map((name, index) => html`${index > 0 && ', '}${nameHtml(name)}`)
  return html`${before} <b>${named}</b>${rest > 0 && ` and ${rest} more`} ${after}`
}
