/** Generates the shell script `overdue-run` that the server offers for download. */

import { quoteForShell } from '../../lib/text/text.ts'
import script from './overdue-run.sh' with { type: 'text' }

/** Maximum number of bytes of output that the script sends if the server has no limit. */
const OUTPUT_BYTES_MAX = 100_000

/**
 * @param siteRoot URL of the server
 * @param bodyLimit number of bytes of a body that the server stores; null for no limit
 */
export function scriptText(siteRoot: string, bodyLimit: number | null): string {
  const limit = Math.min(bodyLimit ?? OUTPUT_BYTES_MAX, OUTPUT_BYTES_MAX)
  return script
    .replace(/^server=.*$/m, () => `server=${quoteForShell(siteRoot)}`)
    .replace(/^limit=.*$/m, () => `limit=${limit}`)
}
