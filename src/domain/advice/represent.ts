/** A fix as the API and the command line show it. */
import type { Fix } from './advice.ts'

/** `{"tz": "UTC"}`, `{"resume": true}`, `{"text": "lock"}`, `{"ask": "twins"}` */
export function representFix(fix: Fix): Readonly<Record<string, string | number | boolean>> {
  switch (fix.do) {
    case 'set':
      return { ...fix.settings }
    case 'resume':
      return { resume: true }
    case 'text':
      return { text: fix.text }
    case 'ask':
      return { ask: fix.about }
  }
}
