/** Describes a browser by its user agent, so that its user recognizes it. The user agent may be any text. */
import { oneLine, within } from '../../../../lib/text/text.ts'

/** Names of browsers. The first match counts, because most user agents also contain the names of other browsers. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/ Edg(?:A|iOS)?\/(\d{1,4})/, 'Edge'],
  [/ OPR\/(\d{1,4})/, 'Opera'],
  [/ SamsungBrowser\/(\d{1,4})/, 'Samsung Internet'],
  [/ (?:Firefox|FxiOS)\/(\d{1,4})/, 'Firefox'],
  [/ (?:Chrome|CriOS|HeadlessChrome)\/(\d{1,4})/, 'Chrome'],
  // Samsung Internet has no version here, because `Version/` is that of the system.
  [/ Safari\//, 'Safari'],
]

/**
 * Names of operating systems. The first match counts, because Android's user agent also contains Linux, and an iPhone's also contains
 * macOS.
 */
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const PROGRAM = /^(curl|Wget)\/(\d{1,4}(?:\.\d{1,4})?)/
/** How much of an unknown user agent is shown, in UTF-16 code units. */
const RAW_LIMIT = 60

/**
 * Returns `Firefox 133 on Linux`, `Safari on iPhone` or `curl 8.5`; for any other user agent, returns its beginning, and `unknown` if it is
 * empty.
 */
export function browserWords(userAgent: string): string {
  const text = oneLine(userAgent)
  if (text === '') return 'unknown'
  const [, program, programVersion] = PROGRAM.exec(text) ?? []
  if (program !== undefined) return `${program} ${programVersion}`
  return (text.startsWith('Mozilla/5.0 (') ? describe(text) : null) ?? within(text, RAW_LIMIT)
}

function describe(text: string): string | null {
  const system = SYSTEMS.find(([pattern]) => pattern.test(text))?.[1]
  for (const [pattern, name] of BROWSERS) {
    const found = pattern.exec(text)
    if (found) return [name, found[1], system && `on ${system}`].filter(Boolean).join(' ')
  }
  return null
}
