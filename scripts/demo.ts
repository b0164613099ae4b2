/**
 * `bun run demo` shows Overdue at work: a bookshop's checks with a month of history, jobs that continue, and a receiver that prints the
 * alerts. Everything is on this machine and temporary: Ctrl-C ends it and removes it. PORT sets the port.
 */
import { watchLauncher } from '../src/cli/terminal/launcher-watch.ts'
import { Refusal } from '../src/domain/errors.ts'
import { messageOf } from '../src/lib/errors.ts'
import { oneLine } from '../src/lib/text/text.ts'
import { startDemo } from './demo/demo.ts'

const HELP = `usage: bun run demo
Shows Overdue at work: a bookshop's checks with a month of history, jobs that go on, and a receiver that prints the alerts.
Everything is on this machine and temporary: Ctrl+C ends it and removes it. PORT sets the port, else any free one is used.`
const EXIT_USAGE = 2

const say = (line: string) => process.stdout.write(`${line}\n`)
readArguments(process.argv.slice(2))
const over = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => over.abort())
watchLauncher(process.env.npm_lifecycle_event ?? null, () => over.abort())

/** Prints the help, or an error for another argument, and ends the process. Does nothing without arguments. */
function readArguments(words: readonly string[]): void {
  const [first] = words
  if (first === undefined) return
  if (first === '--help' || first === '-h') {
    say(HELP)
    process.exit(0)
  }
  process.stderr.write(`the demo takes no argument "${oneLine(first)}"\n${HELP}\n`)
  process.exit(EXIT_USAGE)
}

async function run(): Promise<void> {
  say('Making a month of history…')
  const demo = await startDemo({
    port: process.env.PORT ?? '0',
    frozenAt: null,
    onLine: (line) => say(`${new Date().toTimeString().slice(0, 8)}  ${line}`),
    signal: over.signal,
  })
  say(`
Overdue is ready at ${demo.url}
Sign in as the owner of Harbour Books. The link can be used once and expires after an hour:
  ${demo.signInLink}

Commands work on it too, in another terminal:
  DATABASE_URL=${demo.databaseUrl} bun run overdue check list --project 'Harbour Books'

Alerts are printed here. Ctrl+C ends the demo and removes its database.
`)
  const ended = Promise.withResolvers<void>()
  over.signal.addEventListener('abort', () => ended.resolve())
  if (!over.signal.aborted) await ended.promise
  await demo.stop()
}

/** Ends the process even if something is still open. */
async function end(): Promise<never> {
  try {
    await run()
    process.exit(0)
  } catch (error) {
    if (over.signal.aborted) process.exit(0)
    const problems = error instanceof Refusal ? (error.data.problems ?? []) : []
    process.stderr.write(`${[messageOf(error), ...problems].join('\n  ')}\n`)
    process.exit(1)
  }
}

await end()
