/**
 * `bun run demo` shows Overdue at work: a bookshop's checks with a month of history, jobs that go on, and a receiver that
 * prints the alerts. Everything is on this machine and temporary: Ctrl-C ends it and removes it. PORT sets the port.
 */
import { startDemo } from './demo/demo.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
})
say('Making a month of history…')
const demo = await startDemo({
  port: Number(process.env.PORT ?? 0),
  frozenAt: null,
  onLine: (line) => say(`${new Date().toTimeString().slice(0, 8)}  ${line}`),
})
say(`
Overdue is ready at ${demo.url}
Sign in as the owner of Harbour Books; the link works once, within an hour:
  ${demo.signInLink}
Alerts are printed below. Ctrl-C ends the demo and removes its database.
`)
await ended
await demo.stop()
process.exit(0)
