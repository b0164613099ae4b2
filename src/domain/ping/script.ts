/** The shell script `overdue-run`: its path and the command that installs it. */

import { quoteForShell } from '../../lib/text/text.ts'

/** The script's full path for use in crontab lines, because cron's PATH does not include `/usr/local/bin`. */
export const SCRIPT_PATH = '/usr/local/bin/overdue-run'

/**
 * Returns the command that installs the script.
 * @param siteRoot URL of the server that provides the script
 */
export function fetchScript(siteRoot: string): string {
  return `curl -fsSo ${SCRIPT_PATH} ${shellUrl(`${siteRoot}/overdue-run`)} && chmod 755 ${SCRIPT_PATH}`
}

/** Quotes a URL for the shell if it contains any characters that a shell would interpret. */
export function shellUrl(url: string): string {
  return /^[\w:/.~@+,-]+$/.test(url) ? url : quoteForShell(url)
}
