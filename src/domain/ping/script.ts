/** The shell script `overdue-run`: where lines expect it on a machine, and how it gets there. */

import { quoteForShell } from '../../lib/text/text.ts'

/** Written out in lines, because the PATH of cron has no `/usr/local/bin`. */
export const SCRIPT_PATH = '/usr/local/bin/overdue-run'

/** The command that puts the script there. @param siteRoot URL of the server, which hands it out */
export function fetchScript(siteRoot: string): string {
  return `curl -fsSo ${SCRIPT_PATH} ${shellUrl(`${siteRoot}/overdue-run`)} && chmod 755 ${SCRIPT_PATH}`
}

/** Bare, if no shell reads anything into it. */
export function shellUrl(url: string): string {
  return /^[\w:/.~@+,-]+$/.test(url) ? url : quoteForShell(url)
}
