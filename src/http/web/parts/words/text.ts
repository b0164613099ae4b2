/** Renders user-written text, such as names, so that it cannot reorder or break the text around it. */
import { type Html, html } from '../../html.ts'

/** Most text contains none of these characters, and testing for them is faster than replacing them. */
const UNUSUAL = /[\p{Cc}\p{Cs}]/u
const CONTROL = /\p{Cc}/gu
const CONTROL_PICTURES = 0x2400
const DELETE_PICTURE = '␡'

/** Replaces control characters with visible symbols such as `␀`. Bidirectional controls are kept, because {@link bdi} isolates them. */
export function shown(text: string): string {
  if (!UNUSUAL.test(text)) return text
  return text.toWellFormed().replace(CONTROL, (character) => {
    const code = character.charCodeAt(0)
    if (code === 0x7f) return DELETE_PICTURE
    return code < 0x20 ? String.fromCharCode(CONTROL_PICTURES + code) : '�'
  })
}

/** Like {@link shown}, but keeps line breaks and tabs. */
export function shownLines(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return lines.map((line) => line.split('\t').map(shown).join('\t')).join('\n')
}

/** Renders a name so that its text direction does not affect the surrounding text. */
export function bdi(text: string): Html {
  return html`<bdi>${shown(text)}</bdi>`
}

/** Turns a refusal's message into a sentence: messages start in lowercase and have no trailing period. */
export function sentence(message: string): string {
  const begin = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(begin) ? begin : `${begin}.`
}

/** Returns text such as `1 check` or `2,118 checks`. */
export function counted(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${PLURALS.select(number) === 'one' ? one : many}`
}

/** Returns strings such as `3 down` and `1 late`, one for each number that is not 0. */
export function numbered(...pairs: readonly (readonly [number: number, words: string])[]): readonly string[] {
  return pairs.flatMap(([number, words]) => (number > 0 ? [`${number} ${words}`] : []))
}

const PLURALS = new Intl.PluralRules('en')
