/** The snippet that runs the job through a wrapper: `overdue run`, or its shell version, which this server provides. */
import { fetchScript } from '../../../../domain/ping/script.ts'
import type { SnippetWriter } from './snippet.ts'

export const wrapper: SnippetWriter = (
  url,
  _check,
  _now,
  siteRoot,
) => `# Once on the machine, as root. It needs a shell, and curl or wget.
${fetchScript(siteRoot)}

# The job: its start, its output and its exit status are sent.
overdue-run --check ${url} -- ./backup.sh

# The program overdue also keeps pings that the server could not accept, and delivers them later.
overdue run --check ${url} -- ./backup.sh`
