/** Text that people wrote, such as names: it can't reorder or break the words around it. */
import { type Html, html } from '../../html.ts'

/** Most texts have none of these, and to look is faster than to replace. */
const UNUSUAL = /[\p{Cc}\p{Cs}]/u
const CONTROL = /\p{Cc}/gu
const CONTROL_PICTURES = 0x2400
const DELETE_PICTURE = '␡'

/** Shows control characters as pictures: `␀`. Bidirectional controls stay: {@link bdi} encloses them. */
export function shown(text: string): string {
  if (!UNUSUAL.test(text)) return text
  return text.toWellFormed().replace(CONTROL, (character) => {
    const code = character.charCodeAt(0)
    if (code === 0x7f) return DELETE_PICTURE
    return code < 0x20 ? String.fromCharCode(CONTROL_PICTURES + code) : '�'
  })
}

/** Like {@link shown}, but lines and tabs stay. */
export function shownLines(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return lines.map((line) => line.split('\t').map(shown).join('\t')).join('\n')
}

/** A name in a sentence or a list. */
export function bdi(text: string): Html {
  return html`<bdi>${shown(text)}</bdi>`
}

/** A message of a refusal as a sentence: it begins in lower case and has no full stop. */
export function sentence(message: string): string {
  const begin = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(begin) ? begin : `${begin}.`
}

/** `1 check`, `2,118 checks`. */
export function counted(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${PLURALS.select(number) === 'one' ? one : many}`
}

/** `3 down`, `1 late`: those that are not 0. */
export function numbered(...pairs: readonly (readonly [number: number, words: string])[]): readonly string[] {
  return pairs.flatMap(([number, words]) => (number > 0 ? [`${number} ${words}`] : []))
}

const PLURALS = new Intl.PluralRules('en')
