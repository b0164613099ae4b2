/** Names a browser by its user agent, for the person who uses it. A browser may send any text as its user agent. */
import { oneLine, within } from '../../../../lib/text/text.ts'

/** Names of browsers. The first match counts, because most browsers also name those that they imitate. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/ Edg(?:A|iOS)?\/(\d{1,4})/, 'Edge'],
  [/ OPR\/(\d{1,4})/, 'Opera'],
  [/ SamsungBrowser\/(\d{1,4})/, 'Samsung Internet'],
  [/ (?:Firefox|FxiOS)\/(\d{1,4})/, 'Firefox'],
  [/ (?:Chrome|CriOS|HeadlessChrome)\/(\d{1,4})/, 'Chrome'],
  // The version of this browser is that of the system.
  [/ Safari\//, 'Safari'],
]

/** Names of systems. The first match counts, because Android also names Linux, and an iPhone macOS. */
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
/** UTF-16 units shown of an unknown user agent. */
const RAW_LIMIT = 60

/** Returns `Firefox 133 on Linux`, `Safari on iPhone` or `curl 8.5`; for another user agent its beginning, and `unknown` for none. */
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
