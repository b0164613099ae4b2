/** The shell script `overdue-run`: its path on a machine, and how to install it. */

import { quoteForShell } from '../../lib/text/text.ts'

/** Full path in crontab lines, because the PATH of cron has no `/usr/local/bin`. */
export const SCRIPT_PATH = '/usr/local/bin/overdue-run'

/** Returns the command that installs the script. @param siteRoot URL of the server, which serves it */
export function fetchScript(siteRoot: string): string {
  return `curl -fsSo ${SCRIPT_PATH} ${shellUrl(`${siteRoot}/overdue-run`)} && chmod 755 ${SCRIPT_PATH}`
}

/** Returns a URL unquoted if no shell interprets anything in it. */
export function shellUrl(url: string): string {
  return /^[\w:/.~@+,-]+$/.test(url) ? url : quoteForShell(url)
}
