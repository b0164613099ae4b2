/** The text of the shell script `overdue-run`, as a server hands it out. */

import { quoteForShell } from '../../lib/text/text.ts'
import script from './overdue-run.sh' with { type: 'text' }

/** The most that the script sends of an output when the server keeps all of it. */
const OUTPUT_BYTES_MAX = 100_000

/** @param siteRoot URL of the server. @param bodyLimit bytes that it keeps of a body; null: all */
export function scriptText(siteRoot: string, bodyLimit: number | null): string {
  const limit = Math.min(bodyLimit ?? OUTPUT_BYTES_MAX, OUTPUT_BYTES_MAX)
  return script
    .replace(/^server=.*$/m, () => `server=${quoteForShell(siteRoot)}`)
    .replace(/^limit=.*$/m, () => `limit=${limit}`)
}
