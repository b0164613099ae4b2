/** Turns a user agent into a description that the user will recognize, such as `Firefox 133 on Linux`. The user agent can be any string. */
import { oneLine, within } from '../../../../lib/text/text.ts'

/** Browser names. The first match wins, because most user agents also contain other browsers' names. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/ Edg(?:A|iOS)?\/(\d{1,4})/, 'Edge'],
  [/ OPR\/(\d{1,4})/, 'Opera'],
  [/ SamsungBrowser\/(\d{1,4})/, 'Samsung Internet'],
  [/ (?:Firefox|FxiOS)\/(\d{1,4})/, 'Firefox'],
  [/ (?:Chrome|CriOS|HeadlessChrome)\/(\d{1,4})/, 'Chrome'],
  // Don't show a version for Samsung Internet: its `Version/` contains the version of the system.
  [/ Safari\//, 'Safari'],
]

/**
 * Operating system names. The first match wins, because Android's user agent also contains Linux, and an iPhone's user agent also contains
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
/** Maximum displayed length of an unrecognized user agent, in UTF-16 code units. */
const RAW_LIMIT = 60

/**
 * Returns a string such as `Firefox 133 on Linux`, `Safari on iPhone` or `curl 8.5`. An unrecognized user agent is truncated. An empty one
 * becomes `unknown`.
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
